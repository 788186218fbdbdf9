import * as z from 'zod/mini';
import { label } from './auth.ts';
import { hostId } from './ids.ts';

/** Base URL of a llama-swap: http or https, no credentials, query or fragment; a path prefix is kept. */
export const hostUrl = z
  .url({ protocol: /^https?$/, error: 'an address looks like http://box.lan:8080' })
  .check(
    z.maxLength(2048, 'an address has at most 2,048 characters'),
    z.refine((value) => !/[?#]/.test(value) && !/^[a-z]+:\/\/[^/]*@/i.test(value), {
      error: 'leave out user names, queries and fragments; the key has its own field',
    }),
  );

/** A secret by reference: the name of an environment variable of the server, `env:NAME`. */
export const keyRef = z
  .string()
  .check(z.regex(/^env:[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'a key reference looks like env:NAME'));

/** The key sent to a host: visible ASCII, because it travels in a header. */
export const hostKey = z
  .string()
  .check(
    z.minLength(1, 'a key is needed'),
    z.maxLength(4096, 'a key has at most 4,096 characters'),
    z.regex(/^[\x21-\x7e]+$/, 'a key has no spaces or special characters'),
  );

const oneKey = z.refine<{ readonly key?: string | null | undefined; readonly keyRef?: string | undefined }>(
  (value) => !(value.key && value.keyRef),
  { error: 'give a key or a key reference, not both' },
);

/** Body of `POST /api/hosts`: `id` is derived from the label when left out; give `key` or `keyRef`, not both. */
export const hostCreate = z
  .strictObject({
    id: z.optional(hostId),
    label,
    url: hostUrl,
    key: z.optional(hostKey),
    keyRef: z.optional(keyRef),
    paused: z.optional(z.boolean()),
  })
  .check(oneKey);
/** See {@link hostCreate}. */
export type HostCreate = z.infer<typeof hostCreate>;

/** Body of `PATCH /api/hosts/:hostId`; `key: null` removes the stored key and the reference. */
export const hostPatch = z
  .strictObject({
    label: z.optional(label),
    url: z.optional(hostUrl),
    key: z.optional(z.nullable(hostKey)),
    keyRef: z.optional(keyRef),
    paused: z.optional(z.boolean()),
  })
  .check(oneKey);
/** See {@link hostPatch}. */
export type HostPatch = z.infer<typeof hostPatch>;

/** Verdicts of `POST /api/hosts/test`. */
export const testVerdict = z.enum([
  'ok',
  'unreachable',
  'tls',
  'unauthorized',
  'asleep',
  'not_llama_swap',
  'too_old',
  'self',
]);
/** See {@link testVerdict}. */
export type TestVerdict = z.infer<typeof testVerdict>;

/** Body of `POST /api/hosts/test`; `hostId` tests a known host with its stored key. */
export const hostTest = z.strictObject({
  url: hostUrl,
  key: z.optional(hostKey),
  keyRef: z.optional(keyRef),
  hostId: z.optional(hostId),
});

/** Answer of `POST /api/hosts/test`: `detail` is one sentence for a person. */
export const hostTestResult = z.object({
  verdict: testVerdict,
  detail: z.string(),
  version: z.optional(z.string()),
  models: z.optional(z.array(z.string())),
  gpus: z.optional(z.array(z.string())),
  tls: z.optional(z.string()),
  timingsMs: z.optional(z.record(z.string(), z.number())),
});
/** See {@link hostTestResult}. */
export type HostTestResult = z.infer<typeof hostTestResult>;
