import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
} from '@tanstack/react-router';
import { parseActivitySearch } from './pages/activity/activity-search.ts';
import { parseFleetSearch } from './pages/fleet/fleet-search.ts';
import { ErrorPage, NotFoundPage } from './pages/frame/error-page.tsx';
import { parseSection } from './pages/frame/nav-items.ts';
import { parseHostSearch } from './pages/host/host-search.ts';
import { parseOutboxSearch } from './pages/outbox/outbox-search.ts';
import { Root } from './app.tsx';

const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFoundPage });

const fleetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: parseFleetSearch,
  component: lazyRouteComponent(() => import('./pages/fleet/fleet-page.tsx'), 'FleetPage'),
});

const activityRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/activity',
  validateSearch: parseActivitySearch,
  component: lazyRouteComponent(() => import('./pages/activity/activity-page.tsx'), 'ActivityPage'),
});

const logsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/logs',
  // Read by the page: what only it needs is not loaded first.
  validateSearch: (search: Record<string, unknown>) => search,
  component: lazyRouteComponent(() => import('./pages/logs/logs-page.tsx'), 'LogsPage'),
});

const outboxRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/outbox',
  validateSearch: parseOutboxSearch,
  component: lazyRouteComponent(() => import('./pages/outbox/outbox-page.tsx'), 'OutboxPage'),
});

const addHostRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/hosts/add',
  validateSearch: (search: Record<string, unknown>): { readonly url?: string } =>
    typeof search['url'] === 'string' ? { url: search['url'] } : {},
  component: lazyRouteComponent(() => import('./pages/hosts/add-host-page.tsx'), 'AddHostPage'),
});

const hostRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/hosts/$hostId',
  validateSearch: parseHostSearch,
  component: lazyRouteComponent(() => import('./pages/host/host-page.tsx'), 'HostPage'),
});

const editHostRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/hosts/$hostId/edit',
  component: lazyRouteComponent(() => import('./pages/hosts/edit-host-page.tsx'), 'EditHostPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
});

const settingsSectionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/$section',
  params: {
    parse: ({ section }) => {
      const known = parseSection(section);
      if (known === null) throw notFound();
      return { section: known };
    },
  },
  component: lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsSectionPage'),
});

const pairRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/pair',
  component: lazyRouteComponent(() => import('./pages/pair/pair-page.tsx'), 'PairPage'),
});

/** The page table. Pages are loaded when they are opened; the service worker keeps all of them. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([
    fleetRoute,
    activityRoute,
    logsRoute,
    outboxRoute,
    addHostRoute,
    hostRoute,
    editHostRoute,
    settingsRoute,
    settingsSectionRoute,
    pairRoute,
  ]),
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** The page that adds a host tests its address at once: Test was pressed on the page before. */
    testAtOnce?: boolean;
  }
}
