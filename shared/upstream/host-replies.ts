import { z } from 'zod';
import { lenient } from './lenient.ts';

/**
 * `GET /api/version` (v173+). Other servers answer this path too (Ollama, only with `version`), so all three are asked
 * for before anything is called llama-swap.
 */
export const versionReply = z.object({ version: z.string(), commit: z.string(), build_date: z.string() });

/** `GET /running`; its rows are read one by one. */
export const runningReply = z.object({ running: z.unknown() });

/** A row of `/running`; `ttl` in seconds, 0 for never (v186+). `cmd` is not read: it may hold secrets, and nothing here needs it. */
export const runningRow = z.object({ model: z.string(), state: z.string(), ttl: lenient(z.number()) });

/** `GET /api/profiles` (v241+); its rows are read one by one. An empty `active` is none, like null. */
export const profilesReply = z.object({ active: lenient(z.string()), profiles: z.unknown() });

/** A profile of `/api/profiles`. `pins` is not read: what a name leads to is for the host alone to say. */
export const profileRow = z.object({ id: z.string(), description: lenient(z.string()) });

const text = lenient(z.string());
const number = lenient(z.number());

/** `GET /api/hardware` (v247+). `captured_at` is taken once a process start: the best restart marker there is. */
export const hardwareReply = z.object({
  captured_at: text,
  architecture: lenient(z.object({ name: text, raw_name: text })),
  operating_system: lenient(z.object({ family: text, name: text, version: text, kernel: text })),
  environment: lenient(z.object({ kind: text })),
  cpu: lenient(
    z.object({
      model: text,
      socket_count: number,
      physical_core_count: number,
      logical_thread_count: number,
    }),
  ),
  memory: lenient(z.object({ capacity_bytes: number })),
  accelerators: z.unknown().optional(),
});
/** See {@link hardwareReply}. */
export type HardwareReply = z.infer<typeof hardwareReply>;

/** An accelerator of `/api/hardware`. */
export const acceleratorRow = z.object({
  kind: text,
  vendor: text,
  model: text,
  architecture: text,
  memory: lenient(z.object({ kind: text, capacity_bytes: number })),
  driver: lenient(z.object({ name: text, version: text })),
  power_limit_watts: number,
});
