import { AppError } from '../../errors.ts';

/** Where a page of the feed ended: rows after it are older, or as old and earlier received. */
export interface HistoryPosition {
  readonly endedAt: number;
  readonly seq: number;
}

const SHAPE = /^1\.(-?\d{1,16})\.(\d{1,16})$/;

/** A position as the opaque text of `nextCursor`. */
export function encodeCursor({ endedAt, seq }: HistoryPosition): string {
  return Buffer.from(`1.${endedAt}.${seq}`).toString('base64url');
}

/** The position of a cursor; throws `AppError` `invalid_cursor` for anything this server did not make. */
export function decodeCursor(cursor: string): HistoryPosition {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const match = SHAPE.exec(text);
  const position = { endedAt: Number(match?.[1]), seq: Number(match?.[2]) };
  const valid = Number.isSafeInteger(position.endedAt) && Number.isSafeInteger(position.seq);
  // Base64 has many spellings of the same bytes; ours is the only one we take.
  if (!valid || encodeCursor(position) !== cursor) {
    throw new AppError('invalid_cursor', 'This page marker is not valid. Start again from the first page.');
  }
  return position;
}
