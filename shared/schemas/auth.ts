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

/** A paired device as the API shows it. */
export const device = z.object({
  id: z.string(),
  label: z.string(),
  role,
});
/** See {@link device}. */
export type Device = z.infer<typeof device>;

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
