import { routes } from '#shared/http/routes.ts';
import type { PairingRequest } from '#shared/schemas/pairing.ts';
import { useNews } from '../../data/live-news.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useNow } from '../../data/use-now.ts';
import { useAnswer } from './use-answer.ts';

/** Who waits for a word of this device, oldest first; asked again whenever the collector says that it changed. */
export function usePairingRequests(): {
  readonly requests: readonly PairingRequest[];
  readonly reload: () => void;
} {
  const isLive = useConnection().kind === 'live';
  const now = useNow(5000);
  const { value, reload } = useAnswer(routes.listPairingRequests, isLive, {}, useNews('pairing-requests'));
  return { requests: (value?.requests ?? []).filter(({ expiresAt }) => expiresAt > now), reload };
}
