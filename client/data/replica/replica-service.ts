import { CLOSE_CODES } from '#sync/close-codes.ts';
import { roleAllows } from '#shared/schemas/auth.ts';
import { totalsCell } from '../captures/totals-cell.ts';
import { connectionCell } from '../connection-state.ts';
import { isSecure } from '../environment.ts';
import { outboxNameCell } from '../intents/intent-cells.ts';
import { serverNow, serverOffsetMs, setServerOffset } from '../server-clock.ts';
import { noteRestoredHistory } from '../restored-history.ts';
import { sessionCell } from '../session-state.ts';
import { followStorageWishes } from '../storage-wishes.ts';
import type { Result } from '../types.ts';
import type { CollectorInfo } from './collector-info.ts';
import { askLoaded, CollectorInquiry } from './collector-inquiry.ts';
import { isStuck, NO_SOCKET } from './connection-view.ts';
import type { ConnectionFacts } from './connection-view.ts';
import { CopyAge } from './copy-age.ts';
import { deleteDatabases } from './document-database.ts';
import { databaseNames, deleteCaptures, deleteOtherCopies } from './copy-databases.ts';
import type { DocumentNames } from './copy-databases.ts';
import { FleetReplica } from './fleet-replica.ts';
import { forgetCopy } from './forget-copy.ts';
import { publishConnection } from './publish-connection.ts';
import { loadConnection } from './replicated-document.ts';
import { readRemembered, rememberSession } from './remembered.ts';
import { electWriter } from './writer-lock.ts';

const TICK_MS = 1_000;

type Verdict = ConnectionFacts['verdict'];
type SignedIn = Extract<CollectorInfo, { type: 'signed-in' }>['info'];

/**
 * Keeps this device's copy of the fleet: shows what is stored, asks the collector who we are and what its documents are
 * called, follows it through restarts, new generations and the end of the session, and says at any time how things
 * stand. One per page, started by `startData`.
 */
export class ReplicaService {
  readonly #onTooOld: () => void;
  readonly #startedAt = Date.now();
  readonly #age = new CopyAge();
  readonly #inquiry = new CollectorInquiry({ ask: askLoaded, onAnswer: (answer) => this.#onAnswer(answer) });
  /** By part of the copy that cannot be kept. */
  readonly #storageErrors = new Map<string, string>();
  #replica: FleetReplica | null = null;
  #deviceId: string | null = null;
  #verdict: Verdict = null;
  #refusal: string | null = null;
  #elected = false;
  #signingOut = false;
  /** The copy is fetched anew because the collector's history went back, not because somebody else signed in. */
  #wentBack = false;
  #drawn: Promise<void> = Promise.resolve();

  /** `onTooOld` is called when the collector speaks a newer protocol: a newer app must be there to fetch. */
  constructor(onTooOld: () => void) {
    this.#onTooOld = onTooOld;
  }

  /** Starts; everything ends with `signal`. Nothing is asked of the network before `drawn`: the screen comes first. */
  start(signal: AbortSignal, drawn: Promise<void> = Promise.resolve()): void {
    this.#drawn = drawn;
    const remembered = readRemembered();
    if (remembered) {
      setServerOffset(remembered.serverOffsetMs);
      this.#age.restore(remembered);
      outboxNameCell.set(remembered.documents.outbox ?? null);
      sessionCell.set({ status: 'signed-in', role: remembered.role, device: remembered.device });
      this.#open(remembered.device?.id ?? 'session', remembered.documents);
    }
    void this.#askAfter(drawn, { hasCopy: remembered !== null, signal });
    electWriter(() => this.#onElected(), signal);
    const timer = setInterval(() => this.#onTimer(), TICK_MS);
    signal.addEventListener('abort', () => {
      clearInterval(timer);
      this.#inquiry.stop();
      void this.#close(true);
    });
    addEventListener('online', () => this.#tryNow(), { signal });
    // The sockets may be dead without knowing: trying anew tells at once, and on loopback it simply works.
    addEventListener('offline', () => this.#tryNow(), { signal });
    document.addEventListener('visibilitychange', () => this.#onVisibility(), { signal });
    followStorageWishes(signal);
    addEventListener('pagehide', () => void this.#stamp(), { signal });
    this.#tick();
  }

  async #askAfter(
    drawn: Promise<void>,
    { hasCopy, signal }: { readonly hasCopy: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    await drawn;
    if (signal.aborted) return;
    if (!hasCopy) {
      // Nothing can be shown before the sockets: their code comes beside the first answer.
      loadConnection().catch(() => undefined);
      import('./live-view.ts').catch(() => undefined);
    }
    await this.refresh();
  }

  /** Asks the collector again: after a sign-in, a refusal, or when it may be back. */
  refresh(): Promise<void> {
    return this.#inquiry.now();
  }

  /** Ends the session with `call` and wipes the copy; when the collector does not agree, everything stays. */
  async signOut(call: () => Promise<Result<null>>): Promise<Result<null>> {
    this.#signingOut = true;
    const answer = await call();
    if (answer.ok) await this.#wipe('sign-in');
    this.#signingOut = false;
    return answer;
  }

  /** Deletes this device's copy. */
  async #wipe(verdict: 'sign-in' | 'removed'): Promise<void> {
    forgetCopy();
    sessionCell.set({ status: 'signed-out', role: null, device: null });
    this.#verdict = verdict;
    this.#age.forget();
    await this.#close(false);
    this.#tick();
    await deleteDatabases(() => false).catch(() => undefined);
  }

  #open(deviceId: string, names: DocumentNames): void {
    this.#deviceId = deviceId;
    this.#storageErrors.clear();
    const replica = new FleetReplica(deviceId, names, {
      onState: () => this.#tick(),
      onRefused: (code, reason) => void this.#onRefused(code, reason),
      onDiscard: () => void this.#refetch(names),
      onSession: () => void this.refresh(),
      onStorageError: (part, error) => this.#onStorageError(part, error),
    });
    this.#replica = replica;
    if (this.#elected) replica.elect();
    void replica.start(this.#drawn);
  }

  async #close(keep: boolean): Promise<void> {
    const replica = this.#replica;
    this.#replica = null;
    await replica?.close(keep);
  }

  async #onAnswer(answer: CollectorInfo): Promise<void> {
    switch (answer.type) {
      case 'no-answer':
        break;
      case 'too-old':
        this.#tooOld();
        break;
      case 'signed-out':
        // The sockets stay: their close code says whether the session ran out or was revoked.
        sessionCell.set({ ...sessionCell.get(), status: 'signed-out', role: null });
        if (this.#verdict !== 'removed') this.#verdict = 'sign-in';
        break;
      case 'signed-in':
        await this.#signedIn(answer.info);
        break;
    }
    this.#tick();
  }

  async #signedIn(info: SignedIn): Promise<void> {
    const { fleet, tail, outbox = null } = info.documents;
    const { role } = info;
    const device = info.device ?? null;
    const deviceId = device?.id ?? 'session';
    const wasRefused = this.#verdict !== null && this.#verdict !== 'refetching';
    this.#refusal = null;
    if (wasRefused) this.#verdict = null;
    outboxNameCell.set(outbox);
    sessionCell.set({ status: 'signed-in', role, device });
    if (!roleAllows(role, 'operator')) {
      totalsCell.set(null);
      void deleteCaptures(deviceId);
    }
    const names = this.#replica?.names;
    const isSame = names?.fleet === fleet && names.tail === tail && deviceId === this.#deviceId;
    if (!isSame) {
      // Another generation, or another session's copy: what is here must not be mixed with what comes.
      if (names) this.#verdict = 'refetching';
      this.#wentBack = names !== undefined && deviceId === this.#deviceId;
      await this.#close(false);
      this.#open(deviceId, { fleet, tail });
    } else if (wasRefused) this.#replica?.reconnectNow();
    this.#remember();
    if (this.#elected) await deleteOtherCopies(deviceId, { fleet, tail });
  }

  async #refetch(names: DocumentNames): Promise<void> {
    if (this.#replica?.names !== names || this.#deviceId === null) return;
    this.#verdict = 'refetching';
    this.#wentBack = true;
    const deviceId = this.#deviceId;
    await this.#close(false);
    const [fleet, tail] = databaseNames(deviceId, names);
    await deleteDatabases((name) => name !== fleet && name !== tail).catch(() => undefined);
    this.#open(deviceId, names);
  }

  async #onRefused(code: number, reason: string): Promise<void> {
    switch (code) {
      case CLOSE_CODES.session:
        // The collector ends the sockets of a session that signs out, perhaps before it answers.
        if (this.#signingOut) return;
        if (reason === 'revoked') return this.#wipe('removed');
        sessionCell.set({ ...sessionCell.get(), status: 'signed-out', role: null });
        this.#verdict = 'sign-in';
        break;
      case CLOSE_CODES.schema:
        this.#tooOld();
        break;
      case CLOSE_CODES.document:
        await this.refresh();
        // The same names again: the collector changes over this moment.
        this.#inquiry.later({ count: true });
        break;
      default:
        this.#refusal = reason === '' ? `The collector refused this device (${code}).` : reason;
    }
    this.#tick();
  }

  #tooOld(): void {
    this.#verdict = 'app-too-old';
    this.#replica?.disconnect();
    this.#onTooOld();
  }

  #onElected(): void {
    this.#elected = true;
    this.#replica?.elect();
    this.#tick();
  }

  #onVisibility(): void {
    if (document.visibilityState === 'hidden') {
      void this.#stamp();
      return;
    }
    // The page may have been frozen: what the screen says is as old as that.
    this.#tick();
    if (connectionCell.get().kind !== 'live') this.#tryNow();
  }

  #tryNow(): void {
    if (this.#verdict === null || this.#verdict === 'refetching') this.#replica?.reconnectNow();
    void this.refresh();
  }

  #onStorageError(part: string, error: string | null): void {
    if (error === null) this.#storageErrors.delete(part);
    else this.#storageErrors.set(part, error);
    this.#tick();
  }

  /** Looks at everything and says how it stands; cheap, and silent when nothing changed. */
  #tick(): void {
    const facts = this.#facts();
    if (facts.fleet.phase === 'synced' && facts.tail.phase === 'synced') this.#onInStep(facts);
    else if (this.#age.lost(facts.now)) void this.#stamp();
    publishConnection(this.#facts(), {
      inStepAt: this.#age.inStepAt,
      lastSyncAt: this.#age.lastSyncAt,
      storageError: [...this.#storageErrors.values()].at(0) ?? null,
      refusal: this.#refusal,
      isIncomplete: this.#replica?.isIncomplete() ?? false,
    });
    this.#replica?.setHistoryPolicy({
      online: facts.fleet.phase === 'synced',
      writer: this.#elected || !isSecure,
      serverOffsetMs: serverOffsetMs(),
    });
  }

  #facts(): ConnectionFacts {
    return {
      now: Date.now(),
      startedAt: this.#startedAt,
      verdict: this.#verdict,
      browserOnline: navigator.onLine,
      wasLive: this.#age.wasLive,
      lostAt: this.#age.lostAt,
      ...(this.#replica?.sockets() ?? { fleet: NO_SOCKET, tail: NO_SOCKET }),
    };
  }

  #onInStep({ now, fleet, tail }: ConnectionFacts): void {
    if (this.#verdict === 'refetching') {
      this.#verdict = null;
      if (this.#wentBack) noteRestoredHistory(serverNow());
      this.#wentBack = false;
    }
    const heardAt = Math.max(fleet.lastMessageAt ?? 0, tail.lastMessageAt ?? 0) + serverOffsetMs();
    if (this.#age.inStep(heardAt, serverNow())) void this.refresh();
    if (this.#age.isStampDue(now)) void this.#stamp();
  }

  /** What only time can tell; a socket that moves calls {@link #tick} itself, and must not be moved again by it. */
  #onTimer(): void {
    this.#tick();
    const isIncomplete = this.#replica?.isIncomplete() ?? false;
    if (!isStuck(this.#facts(), { isRefused: this.#refusal !== null, isIncomplete })) return;
    this.#refusal = null;
    this.#replica?.reconnectNow();
  }

  /** Writes down until when the stored copy is in step, after it is really stored. */
  async #stamp(): Promise<void> {
    this.#age.stamped(Date.now());
    const { inStepAt } = this.#age;
    if (!this.#elected || inStepAt === null) return;
    if ((await this.#replica?.flush()) === true) this.#remember(inStepAt);
  }

  #remember(dataAsOf: number | null = readRemembered()?.dataAsOf ?? null): void {
    const documents = this.#replica?.names;
    if (documents) rememberSession(documents, { dataAsOf, lastSyncAt: this.#age.lastSyncAt });
  }
}
