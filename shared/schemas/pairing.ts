import * as z from 'zod/mini';
import { label, role } from './auth.ts';
import { epochMs } from './ids.ts';

/** A pairing code as sent: compared exactly; 6–64 of `A-Za-z0-9-`. */
export const pairingCode = z
  .string()
  .check(z.regex(/^[A-Za-z0-9-]{6,64}$/, 'a code is 6 to 64 letters, digits or dashes'));

/** Body of `POST /api/pair`. A code of the wrong shape is answered like a wrong one. */
export const pairRequest = z.strictObject({ code: z.string().check(z.maxLength(256)), label });

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
