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

/** A day that was fetched and does not fit into what this device may keep. */
export const NO_PLACE: ApiError = {
  ok: false,
  status: null,
  code: 'no_place',
  message: 'It does not fit into what this device keeps: keep more under Settings, Storage, or pin the day.',
  retryAfterMs: null,
  details: [],
};
