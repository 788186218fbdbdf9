import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { type IntentState } from '#shared/schemas/intent.ts';
import { intentRequest } from '#shared/schemas/intent-request.ts';
import { lockDataDir } from '../adapters/sqlite/lock.ts';
import { openStore, type SqliteStore } from '../adapters/sqlite/open-store.ts';
import { receivedView } from '../domain/intent-receipt.ts';
import { hashSecret } from '../services/credentials.ts';
import { temporaryDirectory } from '../testing/temporary-store.ts';
import { runCli } from './run-cli.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const ANA = { kind: 'device', id: 'd-ana', label: 'Ana', role: 'operator' } as const;

function drover(dataDir: string, ...args: string[]) {
  return runCli({ argv: [...args, '--data-dir', dataDir], env: {}, cwd: dataDir });
}

async function droverJson(dataDir: string, ...args: string[]): Promise<Record<string, unknown>> {
  const run = await drover(dataDir, ...args, '--json');
  expect(run).toMatchObject({ exitCode: 0, error: '' });
  return JSON.parse(run.out);
}

/** Lets `work` use the database of a data directory. */
function using<T>(dataDir: string, work: (store: SqliteStore) => T): T {
  const store = openStore(join(dataDir, 'drover.db'), { now: NOW });
  try {
    return work(store);
  } finally {
    store.close();
  }
}

function dataDirWith(work: (store: SqliteStore) => void = () => undefined): string {
  const dataDir = temporaryDirectory();
  using(dataDir, work);
  return dataDir;
}

function addDevice(store: SqliteStore, id: string): void {
  store.access.insertDevice({
    id,
    label: id,
    role: 'operator',
    sessionHash: hashSecret(id),
    createdAt: NOW,
    lastSeenAt: NOW,
    revokedAt: null,
  });
}

/** An intent that got as far as `states` say. */
function addIntent(store: SqliteStore, ...states: IntentState[]): string {
  const id = randomUUID();
  const target = { hostId: 'marlin', modelId: 'coder' };
  const request = intentRequest.parse({ id, kind: 'model.load', target });
  const times = { createdAt: NOW, receivedAt: NOW, expiresAt: NOW + 300_000 };
  store.intents.insert(receivedView(request, ANA, times), request);
  let from: IntentState = 'received';
  for (const to of states) {
    store.intents.change(id, {
      from,
      to,
      at: NOW,
      by: 'collector',
      code: null,
      reason: null,
      evidence: null,
    });
    from = to;
  }
  return id;
}

describe('drover backup', () => {
  it('copies everything of one moment while others write, for the owner alone, and replaces only when told', async () => {
    const dataDir = dataDirWith((store) => addDevice(store, 'phone'));
    writeFileSync(join(dataDir, 'secrets.json'), '{"hostKeys":{"marlin":"sk-secret"}}');
    const writer = openStore(join(dataDir, 'drover.db'), { now: NOW });
    writer.settings.setSetting('open', 'written beside');
    const file = join(dataDir, 'first.backup');
    const made = await droverJson(dataDir, 'backup', 'first.backup');
    writer.close();
    expect(made).toMatchObject({ file, sizeBytes: statSync(file).size, madeAt: expect.any(Number) });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir).filter((name) => name.includes('first.backup'))).toEqual(['first.backup']);
    expect(readFileSync(file).includes('sk-secret')).toBe(false);
    const copy = new Database(file, { readonly: true });
    expect(copy.prepare(`SELECT value FROM setting WHERE name = 'open'`).pluck().get()).toBe(
      'written beside',
    );
    expect(copy.prepare('SELECT id FROM device').pluck().all()).toEqual(['phone']);
    copy.close();

    const again = await drover(dataDir, 'backup', 'first.backup');
    expect(again.exitCode).toBe(3);
    expect(again.error).toContain('--force');
    expect((await drover(dataDir, 'backup', 'first.backup', '--force')).exitCode).toBe(0);
  });

  it('leaves open pairing codes behind, their bytes too', async () => {
    const dataDir = dataDirWith();
    const { code } = await droverJson(dataDir, 'pair');
    await droverJson(dataDir, 'backup', 'b');
    const copy = readFileSync(join(dataDir, 'b'));
    expect(copy.includes(hashSecret(String(code)))).toBe(false);
  });

  it.each([
    [['backup'], 2, 'usage: drover backup FILE'],
    [['backup', 'a', 'b'], 2, 'usage: drover backup FILE'],
    [['restore'], 2, 'usage: drover restore FILE'],
    [['backup', 'drover.db', '--force'], 3, 'the database itself'],
    [['backup', 'drover.db-wal', '--force'], 3, 'the database itself'],
    [['backup', join('no', 'such', 'b')], 3, 'no folder'],
    [['backup', '.'], 3, 'no file'],
    [['restore', 'nothing'], 3, 'no file'],
    [['restore', 'drover.db'], 3, 'the database in use'],
  ])('ends %j with exit code %i', async (args, exitCode, problem) => {
    const dataDir = dataDirWith((store) => addDevice(store, 'phone'));
    const run = await drover(dataDir, ...args);
    expect(run).toMatchObject({ exitCode, out: '' });
    expect(run.error).toContain(problem);
    expect(using(dataDir, (store) => store.access.device('phone'))).not.toBeNull();
  });
});

describe('drover restore', () => {
  it('puts the backup in place, keeps what it replaces, and nobody takes one history for the other', async () => {
    const dataDir = dataDirWith((store) => {
      addDevice(store, 'phone');
      addDevice(store, 'laptop');
      store.documents.create('fleet', 2, NOW);
      store.documents.create('tail', 7, NOW);
      store.settings.setSetting('which', 'backup');
      store.intents.putLease({
        hostId: 'marlin',
        token: 4,
        holder: 'x',
        purpose: 'Load coder',
        since: NOW,
        endsBy: NOW,
        expiresAt: NOW,
      });
    });
    await droverJson(dataDir, 'pair');
    const { madeAt } = await droverJson(dataDir, 'backup', 'b');
    using(dataDir, (store) => {
      store.settings.setSetting('which', 'later');
      store.documents.create('fleet', 5, NOW);
      store.outboxes.begin('phone', { epoch: 99_000_000 }, NOW);
      store.access.revokeDevice('phone', NOW);
      store.access.updateDevice('laptop', { label: 'laptop', role: 'viewer' });
    });
    await droverJson(dataDir, 'key', 'create', '--role', 'viewer', '--label', 'later');
    const { head } = await droverJson(dataDir, 'audit', 'verify');
    const restored = await droverJson(dataDir, 'restore', 'b');
    expect(restored).toMatchObject({
      generations: { fleet: 6, tail: 8 },
      accessTaken: 2,
      backupMadeAt: madeAt,
    });

    const kept = String(restored['kept']);
    const later = new Database(kept, { readonly: true });
    expect(later.prepare(`SELECT value FROM setting WHERE name = 'which'`).pluck().get()).toBe('later');
    later.close();
    using(dataDir, (store) => {
      expect(store.settings.setting('which')).toBe('backup');
      expect(store.documents.load('fleet')).toMatchObject({ generation: 6, state: null, updates: [] });
      expect(store.access.device('phone')?.revokedAt).toBe(NOW);
      expect(store.access.device('laptop')?.role).toBe('viewer');
      expect(store.intents.heldLeases()).toEqual([]);
      // Whatever was made before, in outboxes known here or not, counts as of a lost history.
      for (const owner of ['phone', 'nobody yet']) {
        expect(store.outboxes.get(owner)).toMatchObject({ epoch: 99_000_001, floor: 99_000_001 });
      }
    });
    expect(statSync(join(dataDir, 'drover.db')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir).filter((name) => name.includes('restoring'))).toEqual([]);

    const verdict = await droverJson(dataDir, 'audit', 'verify');
    expect(verdict).toMatchObject({ ok: true, restores: [{ replacedHead: head }] });
    const older = await drover(dataDir, 'audit', 'verify', '--head', String(head));
    expect(older.exitCode).toBe(1);
    expect(older.out).toContain('the last of the log that was replaced');
  });

  it('ends what was open: not done where nothing was sent, unknown where it ran', async () => {
    let ids: string[] = [];
    const dataDir = dataDirWith((store) => {
      ids = [
        addIntent(store),
        addIntent(store, 'waiting'),
        addIntent(store, 'claimed'),
        addIntent(store, 'claimed', 'running'),
        addIntent(store, 'claimed', 'running', 'succeeded'),
      ];
    });
    await droverJson(dataDir, 'backup', 'b');
    expect(await droverJson(dataDir, 'restore', 'b')).toMatchObject({
      intentsRejected: 3,
      intentsUnknown: 1,
    });
    const { views, records } = using(dataDir, (store) => ({
      views: ids.map((id) => store.intents.get(id)?.view),
      records: store.audit.read({ afterId: 0, limit: 100 }),
    }));
    expect(views.map((view) => [view?.state, view?.code])).toEqual([
      ['rejected', 'history_restored'],
      ['rejected', 'history_restored'],
      ['rejected', 'history_restored'],
      ['unknown', 'history_restored'],
      ['succeeded', null],
    ]);
    expect(views[1]?.evidence?.detail).toMatch(/^It was waiting when the backup was made on 2/);
    expect(views[2]?.transitions.map(({ state }) => state)).toEqual([
      'received',
      'claimed',
      'waiting',
      'rejected',
    ]);
    expect(records.map(({ action }) => action)).toEqual([
      'intent.rejected',
      'intent.rejected',
      'intent.waiting',
      'intent.rejected',
      'intent.unknown',
      'history.restore',
    ]);
  });

  it('jumps far where nothing tells how far the lost history had come', async () => {
    const dataDir = dataDirWith((store) => store.documents.create('fleet', 3, NOW));
    await droverJson(dataDir, 'backup', 'b');
    const elsewhere = join(temporaryDirectory(), 'new');
    const moved = await droverJson(elsewhere, 'restore', join(dataDir, 'b'));
    expect(moved).toMatchObject({ kept: null, generations: { fleet: 1003, tail: 1000 } });
    writeFileSync(join(dataDir, 'drover.db'), 'no database any more '.repeat(500));
    const mended = await droverJson(dataDir, 'restore', 'b');
    expect(mended).toMatchObject({ pastKnown: false, generations: { fleet: 1003 } });
    expect(readFileSync(String(mended['kept']), 'utf8')).toContain('no database any more');
    expect(await droverJson(dataDir, 'doctor', '--port', '1')).toMatchObject({
      checks: expect.arrayContaining([
        expect.objectContaining({ name: 'database', state: 'ok' }),
        expect.objectContaining({ name: 'store', state: 'ok' }),
        expect.objectContaining({ name: 'audit', state: 'ok' }),
      ]),
    });
  });

  it('refuses what is no database of Drover, damaged, or of a newer one, and changes nothing', async () => {
    const dataDir = dataDirWith((store) => store.settings.setSetting('which', 'mine'));
    await droverJson(dataDir, 'backup', 'good');
    const path = (name: string) => join(dataDir, name);
    writeFileSync(path('text'), 'hello');
    writeFileSync(path('empty'), '');
    const foreign = new Database(path('foreign'));
    foreign.exec('CREATE TABLE song (name TEXT)');
    foreign.close();
    const bytes = readFileSync(path('good'));
    writeFileSync(path('cut'), bytes.subarray(0, bytes.length / 2));
    bytes.fill(0xab, 4096 * 3 + 100, 4096 * 8);
    writeFileSync(path('holed'), bytes);
    copyFileSync(path('good'), path('newer'));
    const newer = new Database(path('newer'));
    newer.exec(`INSERT INTO migration SELECT max(version) + 1, 'next', 'x', 0 FROM migration`);
    newer.close();
    const messages: string[] = [];
    for (const name of ['text', 'empty', 'foreign', 'cut', 'holed', 'newer']) {
      const run = await drover(dataDir, 'restore', name);
      expect(run).toMatchObject({ exitCode: 3, out: '' });
      messages.push(run.error);
    }
    expect(
      messages.map((text) => /no SQLite|no database of Drover|damaged|newer Drover/.exec(text)?.[0]),
    ).toEqual(['no SQLite', 'no SQLite', 'no database of Drover', 'damaged', 'damaged', 'newer Drover']);
    expect(using(dataDir, (store) => store.settings.setting('which'))).toBe('mine');
    expect(readdirSync(dataDir).filter((name) => /replaced|restoring/.test(name))).toEqual([]);
  });

  it('takes a plain copy of a database with the log beside it', async () => {
    const dataDir = dataDirWith();
    const writer = openStore(join(dataDir, 'drover.db'), { now: NOW });
    writer.settings.setSetting('which', 'in the log');
    copyFileSync(join(dataDir, 'drover.db'), join(dataDir, 'copy'));
    copyFileSync(join(dataDir, 'drover.db-wal'), join(dataDir, 'copy-wal'));
    writer.close();
    using(dataDir, (store) => store.settings.setSetting('which', 'later'));
    const log = readFileSync(join(dataDir, 'copy-wal'));
    expect(await droverJson(dataDir, 'restore', 'copy')).toMatchObject({ backupMadeAt: null });
    expect(using(dataDir, (store) => store.settings.setting('which'))).toBe('in the log');
    // What it was restored from was only read.
    expect(readFileSync(join(dataDir, 'copy-wal')).equals(log)).toBe(true);
  });

  it('does not take the database from under another command', async () => {
    const dataDir = dataDirWith((store) => store.settings.setSetting('which', 'mine'));
    await droverJson(dataDir, 'backup', 'b');
    const other = openStore(join(dataDir, 'drover.db'), { now: NOW });
    const run = await drover(dataDir, 'restore', 'b');
    expect(run.exitCode).toBe(3);
    expect(run.error).toContain('Another drover command');
    other.settings.setSetting('which', 'still mine');
    other.close();
    expect(using(dataDir, (store) => store.settings.setting('which'))).toBe('still mine');
    expect(readdirSync(dataDir).filter((name) => /replaced|restoring/.test(name))).toEqual([]);
  });

  it('waits for nobody: with a server up it names the holder and leaves', async () => {
    const dataDir = dataDirWith();
    await droverJson(dataDir, 'backup', 'b');
    const lock = lockDataDir(join(dataDir, 'drover.lock'), NOW);
    const run = await drover(dataDir, 'restore', 'b');
    lock.release();
    expect(run.exitCode).toBe(3);
    expect(run.error).toContain(`process ${process.pid}`);
  });

  it.each(['staged', 'prepared', 'kept', 'renamed'])(
    'killed right after "%s" it leaves a whole database in place, and loses neither',
    async (step) => {
      const dataDir = dataDirWith((store) => store.settings.setSetting('which', 'backup'));
      await droverJson(dataDir, 'backup', 'b');
      using(dataDir, (store) => store.settings.setSetting('which', 'later'));
      await killedAt(step, dataDir);

      const inPlace = using(dataDir, (store) => {
        expect(store.connection.pragma('integrity_check')).toBe('ok');
        return store.settings.setting('which');
      });
      expect(inPlace).toBe(step === 'renamed' ? 'backup' : 'later');
      const kept = readdirSync(dataDir).filter((name) => name.includes('.replaced-'));
      expect(kept).toHaveLength(step === 'kept' || step === 'renamed' ? 1 : 0);
      for (const name of kept) {
        const database = new Database(join(dataDir, name), { readonly: true });
        expect(database.prepare(`SELECT value FROM setting WHERE name = 'which'`).pluck().get()).toBe(
          'later',
        );
        database.close();
      }
      // The next one goes through, whatever lies about.
      expect((await drover(dataDir, 'restore', 'b')).exitCode).toBe(0);
      expect(using(dataDir, (store) => store.settings.setting('which'))).toBe('backup');
      expect(existsSync(join(dataDir, 'drover.db.restoring'))).toBe(false);
    },
  );
});

/** Restores `b` in a process of its own that dies by SIGKILL right after a step. */
async function killedAt(step: string, dataDir: string): Promise<void> {
  const script = `
    import { restoreDatabase } from ${JSON.stringify(join(import.meta.dirname, 'restore.ts'))};
    const [step, dataDir] = process.argv.slice(1);
    const onStep = (done) => { if (done === step) process.kill(process.pid, 'SIGKILL'); };
    restoreDatabase({ dataDir, file: dataDir + '/b', now: Date.now(), onStep });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, step, dataDir], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const signal = await new Promise((resolve) => child.once('exit', (_code, by) => resolve(by)));
  expect(signal).toBe('SIGKILL');
}
