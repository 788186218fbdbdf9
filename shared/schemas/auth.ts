import * as z from 'zod/mini';
import { epochMs } from './ids.ts';

/** Roles in rising order: a viewer looks, an operator acts, an admin adds hosts and lets people in. */
export const ROLES = ['viewer', 'operator', 'admin'] as const;
/** One of {@link ROLES}. */
export const role = z.enum(ROLES);
/** See {@link role}. */
export type Role = z.infer<typeof role>;

/** True when `have` is `needed` or a larger role. */
export function roleAllows(have: Role, needed: Role): boolean {
  return ROLES.indexOf(have) >= ROLES.indexOf(needed);
}

/** Text a person types to name a device or a key: 1–64 characters, no control characters. */
export const label = z.string().check(
  z.trim(),
  z.minLength(1, 'a name is needed'),
  z.maxLength(64, 'a name has at most 64 characters'),
  // eslint-disable-next-line no-control-regex -- control characters are what is refused
  z.regex(/^[^\u0000-\u001f\u007f]*$/, 'control characters are not allowed'),
);

/** A pairing code as sent: compared exactly; 6–64 of `A-Za-z0-9-`. */
export const pairingCode = z
  .string()
  .check(z.regex(/^[A-Za-z0-9-]{6,64}$/, 'a code is 6 to 64 letters, digits or dashes'));

/** Body of `POST /api/pair`. A code of the wrong shape is answered like a wrong one. */
export const pairRequest = z.strictObject({ code: z.string().check(z.maxLength(256)), label });

/** A paired device as the API shows it. */
export const device = z.object({
  id: z.string(),
  label: z.string(),
  role,
});
/** See {@link device}. */
export type Device = z.infer<typeof device>;

/** Answer while whoever made the code has not decided. `requestId` is the applicant's secret: nobody else is shown it. */
export const pairingWait = z.object({
  requestId: z.string(),
  pollAfterMs: z.int(),
  expiresAt: epochMs,
});
/** See {@link pairingWait}. */
export type PairingWait = z.infer<typeof pairingWait>;

/** Body of `POST /api/pair/poll`. */
export const pairPoll = z.strictObject({ requestId: z.string().check(z.maxLength(256)) });

/** Body of `POST /api/pairing-codes`: what the new device may do, at most what its maker may. */
export const pairingCodeCreate = z.strictObject({ role });

/** A code made on a device, shown to its maker alone. `qrSvg` is `url` as a picture. */
export const pairingCodeIssued = z.object({
  code: z.string(),
  url: z.string(),
  expiresAt: epochMs,
  qrSvg: z.string(),
});
/** See {@link pairingCodeIssued}. */
export type PairingCodeIssued = z.infer<typeof pairingCodeIssued>;

/** Somebody typed a code made on a device and waits to be let in. `id` only names the request; it opens nothing. */
export const pairingRequest = z.object({
  id: z.string(),
  label: z.string(),
  /** Network address it came from. */
  address: z.string(),
  userAgent: z.string(),
  /** What the code gives. */
  role,
  at: epochMs,
  expiresAt: epochMs,
  /** Name of the device or key that made the code. */
  madeBy: z.string(),
});
/** See {@link pairingRequest}. */
export type PairingRequest = z.infer<typeof pairingRequest>;

/** Body of `POST /api/pairing-requests/:id`; `role` in place of what the code gives, at most one's own. */
export const pairingDecision = z.strictObject({
  decision: z.enum(['allow', 'refuse']),
  role: z.optional(role),
});
/** See {@link pairingDecision}. */
export type PairingDecision = z.infer<typeof pairingDecision>;

/** A paired device in the list of devices; `current` marks the one that asks. */
export const listedDevice = z.extend(device, {
  createdAt: epochMs,
  lastSeenAt: epochMs,
  current: z.boolean(),
});
/** See {@link listedDevice}. */
export type ListedDevice = z.infer<typeof listedDevice>;

/** Body of `PATCH /api/devices/:id`. */
export const devicePatch = z
  .strictObject({ label: z.optional(label), role: z.optional(role) })
  .check(
    z.refine((patch) => patch.label !== undefined || patch.role !== undefined, 'nothing to change was given'),
  );
/** See {@link devicePatch}. */
export type DevicePatch = z.infer<typeof devicePatch>;

/** An API key as the API shows it; the key itself is shown once, when it is made. */
export const apiKey = z.object({
  id: z.string(),
  prefix: z.string(),
  label: z.string(),
  role,
  createdAt: epochMs,
  lastUsedAt: z.nullable(epochMs),
});
/** See {@link apiKey}. */
export type ApiKey = z.infer<typeof apiKey>;

/** Body of `POST /api/keys`. */
export const apiKeyCreate = z.strictObject({ label, role });
