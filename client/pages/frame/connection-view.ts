import { assertNever } from '#shared/lib/assert.ts';
import type { ConnectionState } from '../../data/types.ts';
import { formatAge, formatMoment } from '../../ui/format.ts';
import type { GlyphName, Hue } from '../../ui/glyph.tsx';

/** The way from this device to the collector, as the pill and the rail's foot show it. */
export interface ConnectionView {
  readonly word: string;
  /** A short second line for the rail. */
  readonly detail: string;
  readonly glyph: GlyphName;
  readonly hue: Hue;
  /** What it means and what one can do, a sentence for the sheet. */
  readonly meaning: string;
}

/** Words, shape and hue for a connection at `now` (collector time). */
export function connectionView(connection: ConnectionState, now: number): ConnectionView {
  const shown = connection.dataAsOf === null ? null : formatMoment(connection.dataAsOf, now);
  const since = formatMoment(connection.since, now);
  const kept = shown === null ? 'nothing kept here yet' : `data from ${shown}`;
  switch (connection.kind) {
    case 'live':
      return liveView(connection);
    case 'connecting':
      return {
        word: shown === null ? 'Connecting' : `Connecting, showing ${shown}`,
        detail: kept,
        glyph: 'unknown',
        hue: 'off',
        meaning: 'This device is asking the collector for what changed.',
      };
    case 'reconnecting':
      return {
        word: shown === null ? 'Reconnecting' : `Reconnecting, data from ${shown}`,
        detail: kept,
        glyph: 'reconnecting',
        hue: 'warn',
        meaning: `The connection to the collector broke at ${since}. It is tried again by itself.`,
      };
    case 'offline':
      return {
        word: `Offline ${formatAge(now - connection.since)}`,
        detail: kept,
        glyph: 'unknown',
        hue: 'stale',
        meaning:
          'No way to the collector: no network, or the machine is off. Everything kept here stays readable.',
      };
    case 'collector-silent':
      return {
        word: `Collector silent since ${since}`,
        detail: kept,
        glyph: 'reconnecting',
        hue: 'warn',
        meaning:
          'The connection stands, but the collector says nothing on it. It may be stopped or overloaded.',
      };
    case 'restarting':
      return {
        word: 'Collector restarting',
        detail: `${formatAge(now - connection.since)}, ${kept}`,
        glyph: 'reconnecting',
        hue: 'warn',
        meaning:
          'The collector said that it restarts or that its store is down. It is tried again by itself.',
      };
    case 'sign-in':
      return {
        word: 'Sign in again',
        detail: 'the copy stays here',
        glyph: 'unauthorized',
        hue: 'key',
        meaning: 'The session of this device ended. The copy stays; a new code lets it in again.',
      };
    case 'removed':
      return {
        word: 'Removed from this fleet',
        detail: 'the copy was wiped',
        glyph: 'rejected',
        hue: 'off',
        meaning: 'An admin removed this device. Its copy was wiped.',
      };
    case 'app-too-old':
      return {
        word: 'App too old, reload',
        detail: kept,
        glyph: 'incompatible',
        hue: 'odd',
        meaning: 'The collector speaks a newer version. Reload to get the app that fits it.',
      };
    case 'refetching':
      return {
        word: 'History restored, refetching',
        detail: kept,
        glyph: 'reconnecting',
        hue: 'warn',
        meaning: 'The collector’s history was restored or rotated. A fresh copy is on its way.',
      };
    default:
      return assertNever(connection.kind);
  }
}

function liveView(connection: ConnectionState): ConnectionView {
  switch (connection.storage) {
    case 'saved':
      return {
        word: 'Live',
        detail: '',
        glyph: 'live',
        hue: 'ready',
        meaning: 'The collector is connected and the copy on this device is in step.',
      };
    case 'insecure':
      return {
        word: 'Live, not kept offline',
        detail: 'plain http',
        glyph: 'live',
        hue: 'ready',
        meaning: 'This address is not encrypted, so the browser keeps nothing for offline use.',
      };
    case 'not-saved':
      return {
        word: 'Not saved on this device',
        detail: 'live, but the browser keeps no copy',
        glyph: 'needs-confirmation',
        hue: 'warn',
        meaning: connection.storageError ?? 'The browser refuses to keep the copy.',
      };
    default:
      return assertNever(connection.storage);
  }
}
