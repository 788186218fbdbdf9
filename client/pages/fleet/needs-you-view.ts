import { formatAge, formatMoment } from '../../ui/format.ts';
import type { GlyphName, Hue } from '../../ui/glyph.tsx';
import type { CollectorHop, HostFacts } from '../host-parts/host-view.ts';
import { shortReason } from '../host-parts/reason-words.ts';

/** One thing that waits for a person. */
export interface NeedsYouItem {
  readonly key: string;
  readonly hostId: string;
  /** An action of this device, which the Outbox shows; left out: the host's card does. */
  readonly intentId?: string;
  readonly glyph: GlyphName;
  readonly hue: Hue;
  readonly title: string;
  readonly detail: string;
  readonly demo: boolean;
}

/** What needs a person, worst first: hosts that are down, failed starts, refused keys, hosts that are not supported. */
export function needsYou(
  fleet: readonly HostFacts[],
  hop: CollectorHop,
  now: number,
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
      models.flatMap((model) =>
        model.failedStart === null
          ? []
          : [
              item(`failed ${model.modelId}`, host, {
                glyph: 'failed',
                hue: 'bad',
                title: `${model.modelId} failed to start on ${host.label}`,
                detail: `${model.failedStart.reason.replace(/\.$/, '')}, ${formatMoment(model.failedStart.at, now)}`,
              }),
            ],
      ),
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
  words: Pick<NeedsYouItem, 'glyph' | 'hue' | 'title' | 'detail'>,
): NeedsYouItem {
  return { key: `${host.id} ${what}`, hostId: host.id, demo: host.demo, ...words };
}
