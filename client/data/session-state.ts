import { createCell } from './cell.ts';
import type { Session } from './types.ts';

/** The session of this device. */
export const sessionCell = createCell<Session>({ status: 'unknown', role: null, device: null });
