import { z } from 'zod';
import { lenient } from './lenient.ts';

const headers = lenient(z.record(z.string(), z.unknown()));

/** `GET /api/captures/{id}` (v190+). Bodies are base64; what was not kept is null. */
export const captureReply = z.object({
  id: z.number().int(),
  req_path: lenient(z.string()),
  req_headers: headers,
  req_body: lenient(z.string()),
  resp_headers: headers,
  resp_body: lenient(z.string()),
});
/** See {@link captureReply}. */
export type CaptureReply = z.infer<typeof captureReply>;
