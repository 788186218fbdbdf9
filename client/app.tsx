import { useRouterState } from '@tanstack/react-router';
import { useConnection } from './data/use-connection.ts';
import { useFleet } from './data/use-fleet.ts';
import { useSession } from './data/use-session.ts';
import { Frame } from './pages/frame/frame.tsx';
import { deferred } from './ui/deferred.tsx';

const PairPage = deferred<object>(async () => (await import('./pages/pair/pair-page.tsx')).PairPage);

/** The way in when this device is not let in and holds no copy; else the page in its frame. */
export function Root() {
  const session = useSession();
  const connection = useConnection();
  const { loaded } = useFleet();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isOut = session.status === 'signed-out' || connection.kind === 'removed';
  // A session that merely ended keeps its copy readable; the banner leads to the pairing page.
  if (path === '/pair' || (isOut && !loaded)) return <PairPage />;
  return <Frame />;
}
