import type { PresenceReport } from '#shared/schemas/live.ts';
import { encodePresence } from '#sync/live-frame.ts';
import { presenceReportCell } from '../presence-state.ts';

/** The collector forgets a page that says nothing for 75 s. */
const AGAIN_MS = 30_000;

/**
 * Tells the collector what this page shows, while its socket stands: at once when it changes, and again every 30 s while
 * somebody can see the page. A page in the background is forgotten by itself.
 */
export class PresenceTeller {
  readonly #send: (frame: Uint8Array) => void;
  readonly #stops: (() => void)[] = [];
  #isOpen = false;
  #told: PresenceReport = presenceReportCell.get();

  constructor(send: (frame: Uint8Array) => void) {
    this.#send = send;
    this.#stops.push(presenceReportCell.subscribe(() => this.#tell()));
    const timer = setInterval(() => this.#again(), AGAIN_MS);
    const onVisibility = (): void => this.#again();
    document.addEventListener('visibilitychange', onVisibility);
    this.#stops.push(
      () => clearInterval(timer),
      () => document.removeEventListener('visibilitychange', onVisibility),
    );
  }

  /** The socket stands: the collector knows nothing of this page. */
  opened(): void {
    this.#isOpen = true;
    if (presenceReportCell.get().hostId !== null) this.#tell();
  }

  /** The socket went, and with it what was told. */
  closed(): void {
    this.#isOpen = false;
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  #again(): void {
    if (document.visibilityState === 'visible' && this.#told.hostId !== null) this.#tell();
  }

  #tell(): void {
    if (!this.#isOpen) return;
    this.#told = presenceReportCell.get();
    this.#send(encodePresence(this.#told));
  }
}
