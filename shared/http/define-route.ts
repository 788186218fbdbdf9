import type * as z from 'zod/mini';
import type { Role } from '../schemas/auth.ts';

/** Who may call a route: anyone, or a device or key with at least this role. */
export type Access = 'public' | Role;

/** A typed HTTP route: the server mounts it, the client calls it, both from this one object. */
export interface RouteContract {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path with `:name` parameters. */
  readonly path: string;
  readonly access: Access;
  readonly params?: z.ZodMiniType;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  /** Reply schema by status; `null` is an empty body, `'bytes'` a binary one. */
  readonly replies: Readonly<Record<number, z.ZodMiniType | null | 'bytes'>>;
}

/** Returns `contract` with its exact type. */
export function defineRoute<const T extends RouteContract>(contract: T): T {
  return contract;
}
