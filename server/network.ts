import { hostname, networkInterfaces } from 'node:os';
import type { OwnAddresses } from './domain/host-address.ts';

const WILDCARDS = ['0.0.0.0', '::', ''];

/** The address a browser on this machine opens for a server bound to `host`. */
export function localUrl(scheme: 'http' | 'https', host: string, port: number): string {
  const name = WILDCARDS.includes(host) ? '127.0.0.1' : host;
  return `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** The address other machines open for a server bound to `host`; null when it listens on loopback only. */
export function lanUrl(scheme: 'http' | 'https', host: string, port: number): string | null {
  const address = WILDCARDS.includes(host) ? firstNetworkAddress() : host;
  if (address === null || address === 'localhost' || address === '::1' || address.startsWith('127.'))
    return null;
  return localUrl(scheme, address, port);
}

function firstNetworkAddress(): string | null {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find((entry) => !entry.internal && entry.family === 'IPv4')?.address ?? null;
}

/** Every name this machine is known to answer to, so that a host that is Drover itself can be refused. */
export function ownAddresses(host: string, port: number, publicUrl: string | null): OwnAddresses {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const name = hostname().toLowerCase();
  const names = [
    'localhost',
    '::1',
    '0.0.0.0',
    host.toLowerCase(),
    name,
    `${name}.local`,
    ...addresses.map((entry) => entry.address.toLowerCase()),
  ];
  return { port, names: new Set(names), publicUrl };
}
