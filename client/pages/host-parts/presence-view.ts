import type { LivePresence } from '#shared/schemas/live.ts';
import { intentTitle } from '../intents/intent-words.ts';

/** Who else looks at a host, as a mark shows it. */
export interface PresenceView {
  /** One letter for the avatar; a number where there are several. */
  readonly initial: string;
  /** `ben-laptop is here`, `ben-laptop and 2 more are here`. */
  readonly words: string;
  /** The same without what it prepares, where there is no room. */
  readonly short: string;
}

/** Others at a host; null when nobody else is there. */
export function presenceView(presence: LivePresence | null, ownDeviceId: string | null): PresenceView | null {
  if (presence === null) return null;
  const others = presence.people.filter(({ deviceId }) => deviceId !== ownDeviceId);
  const [first] = others;
  if (first === undefined) return null;
  const more = others.length - 1 + presence.more;
  if (more > 0) {
    const words = `${first.label} and ${more} more are here`;
    return { initial: String(more + 1), words, short: words };
  }
  const initial = first.label.slice(0, 1).toUpperCase();
  const { preparing } = first;
  const short = `${first.label} is here`;
  if (preparing === null) return { initial, words: short, short };
  const target = {
    hostId: presence.hostId,
    ...(preparing.modelId === null ? {} : { modelId: preparing.modelId }),
  };
  const title = intentTitle({ kind: preparing.kind, target, params: {} });
  return { initial, words: `${short}, preparing: ${title}`, short };
}
