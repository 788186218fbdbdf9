/**
 * WebSocket close codes. The stock y-websocket client stops retrying on 4400–4499 and retries on everything else.
 */
export const CLOSE_CODES = {
  /** No session, or it ended: reason `expired` keeps the replica, `revoked` wipes it. */
  session: 4401,
  /** The role is too small for this document, it is another's, or what was written is nothing that it may hold. */
  role: 4403,
  /** Unknown document, or a generation that is gone: ask `GET /api/info` for current names. */
  document: 4404,
  /** Client and server do not speak the same schema: reload the app. */
  schema: 4409,
  /** A frame that is not y-websocket's protocol. */
  malformed: 4400,
  /** A frame or a document over its limit, or too many frames. */
  quota: 4413,
  /** The client reads too slowly, writes more than can be read, or is held back for a while; it may come back. */
  slowConsumer: 1013,
  /** The server restarts or its store is down; staggered, to be retried. */
  restarting: 4503,
} as const;

/** A code of {@link CLOSE_CODES}. */
export type CloseCode = (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES];
