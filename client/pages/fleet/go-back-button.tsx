import { getRouteApi } from '@tanstack/react-router';
import { serverNow } from '../../data/server-clock.ts';
import { Button } from '../../ui/button.tsx';

const MINUTE_MS = 60_000;
const route = getRouteApi('/');

/** Leads to the fleet as it was at a moment, first the last full minute. */
export function GoBackButton({ look }: { readonly look: 'plain' | 'quiet' }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Button
      look={look}
      onClick={() =>
        void navigate({ search: { ...search, at: Math.floor(serverNow() / MINUTE_MS) * MINUTE_MS } })
      }
    >
      Go back in time
    </Button>
  );
}
