import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useConnection } from './data/use-connection.ts';
import { useFleet } from './data/use-fleet.ts';
import { useSession } from './data/use-session.ts';
import { Frame } from './pages/frame/frame.tsx';
import { PairPage } from './pages/pair/pair-page.tsx';
import { ToastProvider } from './ui/toast.tsx';

/** Only for what is no document: calls tell of failure themselves, and a page says when its answer is from. */
const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false } },
});

/** What every page needs around it. Base UI must not write style elements: the CSP refuses them. */
export function AppProviders({ children }: { readonly children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <ToastProvider>{children}</ToastProvider>
      </QueryClientProvider>
    </CSPProvider>
  );
}

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
