import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { pairingCode } from '#shared/schemas/pairing.ts';

/** How one setting is read: its flag, its variable, its key under `server:` in drover.yaml, and what it means. */
export interface SettingSpec {
  /** Null where a command line would show to every user of the machine what is secret. */
  readonly flag: string | null;
  readonly env: string | null;
  /** Key under `server:` in drover.yaml; null where the file cannot say it. */
  readonly fileKey: string | null;
  readonly schema: z.core.$ZodType;
  readonly fallback: string | number | boolean | null;
  /** A flag that takes no value. */
  readonly boolean: boolean;
  /** Shown by --help; `value` names what the flag takes. */
  readonly value: string;
  readonly help: string;
}

const flagWords: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
};

const PROXY_WORDS = ['loopback', 'linklocal', 'uniquelocal'];

function isProxyAddress(text: string): boolean {
  if (PROXY_WORDS.includes(text)) return true;
  const [address = '', prefix, ...rest] = text.split('/');
  if (rest.length > 0 || isIP(address) === 0) return false;
  if (prefix === undefined) return true;
  try {
    new BlockList().addSubnet(address, Number(prefix || 'NaN'), isIP(address) === 6 ? 'ipv6' : 'ipv4');
    return true;
  } catch {
    return false;
  }
}

/** `true`, `false`, or the addresses of the proxies whose X-Forwarded headers are believed. */
const trustProxy = z.union([z.boolean(), z.string()]).transform((value, context): boolean | string[] => {
  if (typeof value === 'boolean') return value;
  const word = flagWords[value.trim().toLowerCase()];
  if (word !== undefined) return word;
  const addresses = value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (addresses.length > 0 && addresses.every(isProxyAddress)) return addresses;
  context.addIssue({
    code: 'custom',
    message: 'true, false, or addresses of proxies such as 127.0.0.1,10.0.0.0/8',
  });
  return z.NEVER;
});

const publicUrl = z
  .url({ protocol: /^https?$/, error: 'an address looks like https://drover.example.com' })
  .refine((text) => /^https?:\/\/[^/?#@]+\/?$/.test(text), {
    error: 'scheme, name and port only: Drover is served from the root of its origin',
  })
  .transform((text) => new URL(text).origin);

const port = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^[0-9]{1,5}$/)
        .transform(Number),
    ],
    { error: 'a port is a number' },
  )
  .pipe(z.number().int().min(0).max(65535));

const text = z.string().trim().min(1, 'must not be empty').max(4096);

/** Every setting, in the order --help shows them. */
export const SETTINGS = {
  dataDir: {
    flag: 'data-dir',
    env: 'DROVER_DATA_DIR',
    fileKey: null,
    schema: text,
    fallback: './data',
    boolean: false,
    value: 'DIR',
    help: 'where drover.db, secrets.json and drover.lock are kept',
  },
  config: {
    flag: 'config',
    env: 'DROVER_CONFIG',
    fileKey: null,
    schema: text,
    fallback: null,
    boolean: false,
    value: 'FILE',
    help: 'path of drover.yaml; otherwise looked for in the data directory, then in the working directory',
  },
  host: {
    flag: 'host',
    env: 'DROVER_HOST',
    fileKey: 'host',
    schema: text,
    fallback: '127.0.0.1',
    boolean: false,
    value: 'ADDRESS',
    help: 'address to listen on; 0.0.0.0 lets other machines in',
  },
  port: {
    flag: 'port',
    env: 'DROVER_PORT',
    fileKey: 'port',
    schema: port,
    fallback: 9503,
    boolean: false,
    value: 'PORT',
    help: 'port to listen on; 0 takes any free one',
  },
  publicUrl: {
    flag: 'public-url',
    env: 'DROVER_PUBLIC_URL',
    fileKey: 'publicUrl',
    schema: publicUrl,
    fallback: null,
    boolean: false,
    value: 'URL',
    help: 'address people use, behind a reverse proxy or Tailscale',
  },
  trustProxy: {
    flag: 'trust-proxy',
    env: 'DROVER_TRUST_PROXY',
    fileKey: 'trustProxy',
    schema: trustProxy,
    fallback: false,
    boolean: false,
    value: 'true|ADDRESSES',
    help: 'believe X-Forwarded-Proto, -Host and -For: of any peer, or of these proxies only',
  },
  tlsCert: {
    flag: 'tls-cert',
    env: 'DROVER_TLS_CERT',
    fileKey: 'tlsCert',
    schema: text,
    fallback: null,
    boolean: false,
    value: 'FILE',
    help: 'certificate chain (PEM): serve https; needs --tls-key',
  },
  tlsKey: {
    flag: 'tls-key',
    env: 'DROVER_TLS_KEY',
    fileKey: 'tlsKey',
    schema: text,
    fallback: null,
    boolean: false,
    value: 'FILE',
    help: 'private key (PEM) of the certificate',
  },
  pairingCode: {
    flag: null,
    env: 'DROVER_PAIRING_CODE',
    fileKey: null,
    schema: pairingCode,
    fallback: null,
    boolean: false,
    value: 'CODE',
    help: 'first pairing code instead of a random one; ignored once a device exists',
  },
  demo: {
    flag: 'demo',
    env: null,
    fileKey: null,
    schema: z.boolean(),
    fallback: false,
    boolean: true,
    value: '',
    help: 'start the demo fleet: three emulated hosts, marked as demo',
  },
} as const satisfies Readonly<Record<string, SettingSpec>>;
