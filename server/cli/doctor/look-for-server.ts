import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { health, type HealthCheck } from '#shared/schemas/info.ts';
import { isLocked, lastHolder } from '../../adapters/sqlite/lock.ts';
import type { Config } from '../../config.ts';
import type { ServerFacts } from '../../domain/health/server-check.ts';

/** What was found: how the server is, and its own checks where it answered. */
export interface FoundServer {
  readonly facts: ServerFacts;
  /** Null: it did not answer. */
  readonly checks: readonly HealthCheck[] | null;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** Asks the server that holds the data directory how it is. Never rejects. */
export async function lookForServer(config: Pick<Config, 'dataDir' | 'host' | 'port'>): Promise<FoundServer> {
  const lockPath = join(config.dataDir, 'drover.lock');
  const found = holderAt(lockPath);
  if ('problem' in found) return { facts: { kind: 'unreadable', problem: found.problem }, checks: null };
  const { holder } = found;
  if (holder?.ask && holder.ask.key === null && isLocked(lockPath))
    return { facts: { kind: 'keyless', pid: holder.pid, url: holder.ask.url }, checks: null };
  const { url = null, key = null } = holder?.ask ?? {};
  const answer = url === null || key === null ? null : await ask(url, key);
  if (holder?.ask && answer?.ok === true) {
    const { pid, startedAt } = holder;
    return { facts: { kind: 'answers', pid, url: holder.ask.url, startedAt }, checks: answer.checks };
  }
  if (holder !== null && isLocked(lockPath)) {
    const problem = answer?.ok === false ? answer.problem : 'it does not listen yet';
    return {
      facts: { kind: 'silent', pid: holder.pid, url: holder.ask?.url ?? null, problem },
      checks: null,
    };
  }
  const address = `${config.host}:${config.port}`;
  return { facts: { kind: 'down', address, portTaken: await isTaken(config) }, checks: null };
}

function holderAt(
  path: string,
): { readonly holder: ReturnType<typeof lastHolder> } | { readonly problem: string } {
  try {
    return { holder: lastHolder(path) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

type Answer =
  | { readonly ok: true; readonly checks: readonly HealthCheck[] }
  | { readonly ok: false; readonly problem: string };

async function ask(url: string, key: string): Promise<Answer> {
  try {
    const { status, text } = await get(new URL('/api/health', url), key);
    const parsed = health.safeParse(JSON.parse(text));
    if (parsed.success && parsed.data.checks !== undefined) return { ok: true, checks: parsed.data.checks };
    return { ok: false, problem: `it answered ${status} without its checks` };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

function get(url: URL, key: string): Promise<{ readonly status: number; readonly text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const call = request(
    url,
    {
      headers: { authorization: `Bearer ${key}`, connection: 'close' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      // The address is one of this machine, written down by the server itself; its certificate is for another name.
      rejectUnauthorized: false,
    },
    (response) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on('data', (part: Buffer) => {
        bytes += part.byteLength;
        if (bytes > MAX_BYTES) call.destroy(new Error('its answer is far too large'));
        parts.push(part);
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }),
      );
      response.on('error', reject);
    },
  );
  call.on('error', reject);
  call.end();
  return promise;
}

/** True when something accepts connections at the address the server would listen at. */
function isTaken({ host, port }: Pick<Config, 'host' | 'port'>): Promise<boolean> {
  if (port === 0) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const anywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const socket = connect({ host: anywhere[host] ?? host, port, timeout: TIMEOUT_MS });
  const end = (taken: boolean): void => {
    socket.destroy();
    resolve(taken);
  };
  socket.on('connect', () => end(true));
  socket.on('timeout', () => end(false));
  socket.on('error', () => end(false));
  return promise;
}
