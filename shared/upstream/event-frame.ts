import { z } from 'zod';
import { lenient } from './lenient.ts';

/** A message of `/api/events`: JSON whose `data` is a string that is JSON again (v135+, every type). */
export const eventFrame = z.object({ type: z.string(), data: z.unknown().optional() });

/** `logData`: raw text of a log, in chunks that may end anywhere. Sources: `proxy`, `upstream`, `http` (v259+). */
export const logData = z.object({ source: lenient(z.string()), data: z.string() });

/** `activity` (v236+): a row with this id was stored. */
export const activityNotice = z.object({ id: z.number().int().min(0) });

/** `uiConfig` (v240+): which request headers name a session. */
export const uiConfig = z.object({
  activity: lenient(z.object({ session_id: lenient(z.array(z.unknown())) })),
});

/** `profileChanged` (v241+): the active profile, null for none. */
export const profileChanged = z.object({ active: z.string().nullish() });
