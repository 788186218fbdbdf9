import * as z from 'zod/mini';
import { activityRequest } from './activity.ts';
import { completionAnswer } from './completion.ts';
import { epochMs, hostId } from './ids.ts';
import { wholeNumber } from './query.ts';

const bytes = z.int().check(z.minimum(0));

/** Query of `GET /api/captures`: the identity of an activity row. */
export const captureQuery = z.strictObject({
  hostId,
  idEpoch: z.pipe(wholeNumber, z.number().check(z.minimum(0))),
  id: z.pipe(wholeNumber, z.number().check(z.minimum(0))),
});
/** See {@link captureQuery}. */
export type CaptureKey = z.infer<typeof captureQuery>;

/** The body of a request or an answer, as far as it is kept. `sizeBytes` is what the host had. */
export const captureBody = z.discriminatedUnion('kind', [
  /** The host kept none, or there was none. */
  z.object({ kind: z.literal('none') }),
  z.object({
    kind: z.literal('text'),
    text: z.string(),
    sizeBytes: bytes,
    /** Left out where the text says so; 0: it is whole. */
    omittedBytes: bytes,
    /** Where the host's base64 stopped making sense: the text ends there; null: it is sound. */
    brokenAt: z.nullable(bytes),
  }),
  /** An image, a sound, something compressed: not shown as text. */
  z.object({ kind: z.literal('binary'), mediaType: z.nullable(z.string()), sizeBytes: bytes }),
  /** Not kept because a secret is spread over its frames, where no rule can take it out. */
  z.object({ kind: z.literal('withheld'), sizeBytes: bytes }),
]);
/** See {@link captureBody}. */
export type CaptureBody = z.infer<typeof captureBody>;

const message = z.object({
  /** Null: the host kept none. */
  headers: z.nullable(z.array(z.object({ name: z.string(), value: z.string() }))),
  body: captureBody,
});
/** Headers and body of a request or an answer. */
export type CaptureMessage = z.infer<typeof message>;

/** What a host kept of a request, without its secrets and cut to a size. */
export const captureContent = z.object({
  /** Values that stand as `[REDACTED]`. */
  redactions: z.int().check(z.minimum(0)),
  request: message,
  response: message,
  /** The answer put together, from all of it, also where the body is cut; null: it is of no kind that is known here. */
  answer: z.nullable(completionAnswer),
});
/** See {@link captureContent}. */
export type CaptureContent = z.infer<typeof captureContent>;

/** A request with what its host kept of it, as of `fetchedAt`. */
export const capture = z.extend(captureContent, { row: activityRequest, fetchedAt: epochMs });
/** See {@link capture}. */
export type Capture = z.infer<typeof capture>;
