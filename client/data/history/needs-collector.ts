import type { ApiError } from '../types.ts';

/** What is not on this device, while the collector is away. */
export const NEEDS_COLLECTOR: ApiError = {
  ok: false,
  status: null,
  code: 'network',
  message: 'This needs the collector.',
  retryAfterMs: null,
  details: [],
};
