/** What the logs page shows, as its address holds it. */
export interface LogsSearch {
  /** Left out: the first host that is connected. */
  readonly host?: string;
  /** One stream of the host: proxy, upstream, http; left out: all of them. */
  readonly source?: string;
  /** The log of one model instead. */
  readonly model?: string;
  /** Lines at least as grave. */
  readonly level?: 'warn' | 'error';
  /** A regular expression; its matches are marked. */
  readonly q?: string;
  readonly wrap?: boolean;
}

/** Reads the address; what it does not know or cannot use is left out. */
export function parseLogsSearch(search: Record<string, unknown>): LogsSearch {
  const text = (name: string): string | undefined => {
    const value = search[name];
    // The router reads `q=12` as a number.
    const words = typeof value === 'number' ? String(value) : value;
    return typeof words === 'string' && words !== '' ? words.slice(0, 1024) : undefined;
  };
  const [host, source, model, q] = [text('host'), text('source'), text('model'), text('q')?.slice(0, 200)];
  const { level, wrap } = search;
  return {
    ...(host === undefined ? {} : { host }),
    ...(source === undefined || model !== undefined ? {} : { source }),
    ...(model === undefined ? {} : { model }),
    ...(level === 'warn' || level === 'error' ? { level } : {}),
    ...(q === undefined ? {} : { q }),
    ...(typeof wrap === 'boolean' ? { wrap } : {}),
  };
}
