import { z } from 'zod';
import { lenient } from './lenient.ts';

/**
 * `GET /api/version` (v173+). Other servers answer this path too (Ollama, only with `version`), so all three are asked
 * for before anything is called llama-swap.
 */
export const versionReply = z.object({ version: z.string(), commit: z.string(), build_date: z.string() });

/** `GET /running`; its rows are read one by one. */
export const runningReply = z.object({ running: z.unknown() });

/** A row of `/running`. `cmd` is not read: it may hold secrets, and nothing here needs it. */
export const runningRow = z.object({ model: z.string(), state: z.string() });

/** `GET /api/hardware` (v247+). `captured_at` is taken once a process start: the best restart marker there is. */
export const hardwareReply = z.object({
  captured_at: lenient(z.string()),
  accelerators: z.unknown().optional(),
});

/** An accelerator of `/api/hardware`. */
export const acceleratorRow = z.object({
  kind: lenient(z.string()),
  vendor: lenient(z.string()),
  model: lenient(z.string()),
});
