import type { HostTime } from './host-time.ts';
import type { Records } from './records.ts';
import { httpError, textAnswer } from './wire/answer.ts';
import type { HttpExchange } from './wire/http-exchange.ts';

/** What stands where a client expects llama-swap. */
export type FrontDoor =
  | { readonly kind: 'direct' }
  /** llama-swap's wake-on-LAN proxy. `wakeAfterMs` null: the machine never wakes. */
  | { readonly kind: 'wol-proxy'; readonly asleep: boolean; readonly wakeAfterMs: number | null }
  /** A web server that is not llama-swap. */
  | { readonly kind: 'html' }
  /** Every request gets this status. */
  | { readonly kind: 'status'; readonly status: number };

const HELD_MS = 60_000;
const PAGE =
  '<!doctype html>\n<html><head><title>It works</title></head><body><h1>It works</h1></body></html>\n';

/** Whether a request, seen by a sleeping machine's proxy, wakes it: all but the two a careful client sends. */
export function wakes(method: string, path: string): boolean {
  return !(method === 'GET' && (path === '/api/events' || path === '/status'));
}

/** Answers what the front door answers itself; true when the request was taken care of. */
export async function answerAtDoor(
  door: FrontDoor,
  exchange: HttpExchange,
  options: { readonly time: HostTime; readonly records: Records; readonly wake: () => void },
): Promise<boolean> {
  const { pathname } = exchange.url;
  if (door.kind === 'direct') return false;
  if (door.kind === 'html') {
    exchange.send(textAnswer(PAGE, 'text/html; charset=utf-8'));
    return true;
  }
  if (door.kind === 'status') {
    exchange.send(httpError(door.status, `status ${door.status}`));
    return true;
  }
  if (pathname === '/status') {
    const state = door.asleep ? 'asleep' : 'ready';
    exchange.send(textAnswer(`status: ${state}\nfailures: 0\n`));
    return true;
  }
  if (!door.asleep) return false;
  if (pathname === '/api/events') {
    exchange.send({ status: 204, headers: {}, body: '' });
    return true;
  }
  options.records.effect({
    at: options.time.clock.now(),
    kind: 'woken',
    modelId: null,
    by: 'client',
    detail: `${exchange.method} ${pathname}`,
  });
  if (door.wakeAfterMs !== null) options.time.clock.after(door.wakeAfterMs, options.wake);
  if (pathname === '/' || pathname === '/ui/') {
    exchange.send(textAnswer(PAGE, 'text/html; charset=utf-8'));
    return true;
  }
  const waitMs = door.wakeAfterMs ?? HELD_MS;
  await new Promise<void>((resolve) => {
    const cancel = options.time.clock.after(waitMs, resolve);
    exchange.gone.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });
  if (door.wakeAfterMs !== null) return exchange.gone.aborted;
  exchange.send(httpError(408, 'timeout'));
  return true;
}
