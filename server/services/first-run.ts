import type { HostTester } from '../domain/host-ports.ts';
import type { HostService } from './host-service.ts';
import { qrSvg } from './qr-code.ts';

/** Where a llama-swap listens when nobody says otherwise. */
const USUAL_PORT = 8080;

/** How the server can be reached. */
export interface Reach {
  readonly port: number;
  readonly publicUrl: string | null;
  /** Address for other machines on the network; null when only this one can connect. */
  readonly lanUrl: string | null;
}

/** What the page offers to somebody who has no host yet. */
export interface FirstRun {
  readonly found: { readonly url: string; readonly version: string | null } | null;
  readonly phone: { readonly url: string; readonly qrSvg: string; readonly secure: boolean } | null;
  readonly port: number;
}

/** Looks for a llama-swap on this machine and says how a phone would get here. It adds nothing by itself. */
export class FirstRunService {
  readonly #tester: HostTester;
  readonly #hosts: HostService;
  readonly #reach: () => Reach;

  constructor(tester: HostTester, hosts: HostService, reach: () => Reach) {
    this.#tester = tester;
    this.#hosts = hosts;
    this.#reach = reach;
  }

  async look(): Promise<FirstRun> {
    const reach = this.#reach();
    const [found, phone] = await Promise.all([this.findLocal(), phoneAddress(reach)]);
    return { found, phone, port: reach.port };
  }

  /** A llama-swap on localhost:8080 that is no host yet. */
  async findLocal(): Promise<FirstRun['found']> {
    const url = `http://localhost:${USUAL_PORT}`;
    if (this.#reach().port === USUAL_PORT) return null;
    if (this.#hosts.configs().some((host) => isUsualAddress(host.url))) return null;
    const result = await this.#tester.test({ url, key: null });
    // One that asks for a key is a llama-swap too: its owner has the key.
    if (result.verdict !== 'ok' && result.verdict !== 'unauthorized') return null;
    return { url, version: result.version ?? null };
  }
}

function isUsualAddress(text: string): boolean {
  const { hostname, port, protocol } = new URL(text);
  if (protocol !== 'http:' || port !== String(USUAL_PORT)) return false;
  return ['localhost', '[::1]'].includes(hostname) || hostname.startsWith('127.');
}

async function phoneAddress(reach: Reach): Promise<FirstRun['phone']> {
  const url = reach.publicUrl ?? reach.lanUrl;
  if (url === null) return null;
  return { url, qrSvg: await qrSvg(url), secure: url.startsWith('https:') };
}
