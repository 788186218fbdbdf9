import type { EraTraits } from './era.ts';

/** What is kept of a request; null parts were not kept. */
export interface Capture {
  readonly path: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;
  readonly status: number;
  /** Only the path is kept. */
  readonly emptied: boolean;
}

/** Captured conversations, oldest dropped when the buffer is full. */
export class Captures {
  readonly #traits: EraTraits;
  readonly #capacityBytes: number;
  #captures = new Map<number, Capture>();
  #everKept = new Set<number>();
  #bytes = 0;

  constructor(traits: EraTraits, capacityBytes: number) {
    this.#traits = traits;
    this.#capacityBytes = capacityBytes;
  }

  add(id: number, capture: Capture): void {
    const bytes = size(capture);
    const rules = this.#traits.captures;
    if (rules === null || bytes > this.#capacityBytes) return;
    if (capture.status !== 200 && rules.ofErrors === 'nothing') return;
    this.#captures.set(id, capture);
    this.#everKept.add(id);
    this.#bytes += bytes;
    for (const [oldest, other] of this.#captures) {
      if (this.#bytes <= this.#capacityBytes) break;
      this.#captures.delete(oldest);
      this.#bytes -= size(other);
    }
  }

  /** As `has_capture` of the row says. */
  has(id: number): boolean {
    const rules = this.#traits.captures;
    if (rules?.staleFlag) return this.#everKept.has(id);
    const capture = this.#captures.get(id);
    if (!capture) return false;
    return rules?.ofErrors === 'request' || capture.status === 200;
  }

  /** Body of `/api/captures/{id}`; null when it is gone. */
  wire(id: number): Readonly<Record<string, unknown>> | null {
    const capture = this.#captures.get(id);
    if (!capture) return null;
    const failed = capture.status !== 200;
    const empty = capture.emptied || (failed && this.#traits.captures?.ofErrors === 'all-null');
    return {
      id,
      req_path: capture.path,
      req_headers: empty ? null : capture.requestHeaders,
      req_body: empty ? null : base64(capture.requestBody),
      resp_headers: empty ? null : capture.responseHeaders,
      resp_body: failed || empty ? null : base64(capture.responseBody),
    };
  }

  clear(): void {
    this.#captures.clear();
    this.#everKept.clear();
    this.#bytes = 0;
  }
}

function size(capture: Capture): number {
  return capture.requestBody.length + capture.responseBody.length + 500;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
