import type { Capture } from '#shared/schemas/capture.ts';
import type { ApiError } from '../types.ts';

/** A capture as far as it can be shown now. */
export type CaptureView =
  | { readonly kind: 'loading' }
  /** `isKept`: it can be read on this device without a connection. */
  | { readonly kind: 'shown'; readonly capture: Capture; readonly isKept: boolean }
  /** Prompts and answers are for operators and admins. */
  | { readonly kind: 'not-allowed' }
  /** Not on this device, and the collector cannot be asked. */
  | { readonly kind: 'away' }
  /** There is none, for a reason; `isFinal`: nor will there be. */
  | { readonly kind: 'none'; readonly words: string; readonly isFinal: boolean };

/** What an answer that is no capture means. */
export function viewOfError({ code, status, message }: ApiError): CaptureView {
  if (status === 403) return { kind: 'not-allowed' };
  if (code === 'network' || (code === 'timeout' && status === null) || status === 401)
    return { kind: 'away' };
  return { kind: 'none', words: message, isFinal: code === 'capture_gone' || code === 'not_found' };
}
