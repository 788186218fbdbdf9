import { failureKey } from '../../data/seen-failures.ts';
import { formatAge, formatMoment } from '../../ui/format.ts';
import type { GlyphName, Hue } from '../../ui/glyph.tsx';
import type { CollectorHop, HostFacts } from '../host-parts/host-view.ts';
import { currentFailure } from '../host-parts/model-view.ts';
import { shortFailure, shortReason } from '../host-parts/reason-words.ts';

/** One thing that waits for a person. */
export interface NeedsYouItem {
  readonly key: string;
  readonly hostId: string;
  /** A failed start: its model, whose sheet says why. `seenKey` dismisses it on this device. */
  readonly failedStart?: { readonly modelId: string; readonly seenKey: string };
  /** An action of this device, which the Outbox shows; left out: the host's card does. */
  readonly intentId?: string;
  readonly glyph: GlyphName;
  readonly hue: Hue;
  readonly title: string;
  readonly detail: string;
  readonly demo: boolean;
}

/** What {@link needsYou} depends on besides the fleet. */
export interface NeedsYouContext {
  readonly hop: CollectorHop;
  readonly now: number;
  /** Failed starts that were read on this device, by `failureKey`. */
  readonly seen: ReadonlySet<string>;
}

/** What needs a person, worst first: hosts that are down, failed starts, refused keys, hosts that are not supported. */
export function needsYou(
  fleet: readonly HostFacts[],
  { hop, now, seen }: NeedsYouContext,
): readonly NeedsYouItem[] {
  const watched = fleet.filter(({ host }) => !host.paused);
  const isPast = hop.kind === 'away';
  return [
    ...watched.flatMap(({ host }) => {
      if (host.liveness !== 'down') return [];
      const reason = shortReason(host.reason ?? 'no answer');
      const time = isPast ? `from ${formatMoment(host.since, now)}` : formatAge(now - host.since);
      return [
        item('down', host, {
          glyph: 'down',
          hue: 'bad',
          title: `${host.label} ${isPast ? 'was' : 'is'} down`,
          detail: isPast ? `${reason} ${time}` : `${reason}, ${time}`,
        }),
      ];
    }),
    ...watched.flatMap(({ host, models }) =>
      models.flatMap((model) => {
        const { modelId } = model;
        const failedStart = currentFailure(model);
        if (failedStart === null) return [];
        const seenKey = failureKey(host.id, modelId, failedStart.at);
        if (seen.has(seenKey)) return [];
        return [
          item(`failed ${modelId}`, host, {
            glyph: 'failed',
            hue: 'bad',
            title: `${modelId} failed to start on ${host.label}`,
            detail: `${shortFailure(failedStart.reason)}, ${formatMoment(failedStart.at, now)}`,
            failedStart: { modelId, seenKey },
          }),
        ];
      }),
    ),
    ...watched.flatMap(({ host }) => {
      if (host.liveness !== 'unauthorized') return [];
      return [
        item('key', host, {
          glyph: 'unauthorized',
          hue: 'key',
          title: `${host.label} ${isPast ? 'refused' : 'refuses'} the key`,
          detail: `401 ${isPast ? 'from' : 'since'} ${formatMoment(host.since, now)}`,
        }),
      ];
    }),
    ...watched.flatMap(({ host }) => {
      if (host.liveness !== 'incompatible') return [];
      return [
        item('incompatible', host, {
          glyph: 'incompatible',
          hue: 'odd',
          title: `${host.label} ${isPast ? 'was' : 'is'} not supported`,
          detail: shortReason(host.reason ?? 'it answers, but not as llama-swap'),
        }),
      ];
    }),
  ];
}

function item(
  what: string,
  host: HostFacts['host'],
  words: Pick<NeedsYouItem, 'glyph' | 'hue' | 'title' | 'detail' | 'failedStart'>,
): NeedsYouItem {
  return { key: `${host.id} ${what}`, hostId: host.id, demo: host.demo, ...words };
}
