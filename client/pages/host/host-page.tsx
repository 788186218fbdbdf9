import { getRouteApi } from '@tanstack/react-router';
import { useConnection } from '../../data/use-connection.ts';
import { useFleet, useHost } from '../../data/use-fleet.ts';
import { useReportPresence } from '../../data/use-presence.ts';
import { useSession } from '../../data/use-session.ts';
import { useNow } from '../../data/use-now.ts';
import { Announce } from '../../ui/announce.tsx';
import { deferred } from '../../ui/deferred.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { HueText } from '../../ui/hue-text.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { BREAKPOINTS, useMedia } from '../../ui/use-media.ts';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { NotFoundPage } from '../frame/error-page.tsx';
import { Page } from '../frame/page.tsx';
import { HostMenu } from '../host-parts/host-menu.tsx';
import type { HostCardView } from '../host-parts/host-view.ts';
import { collectorHop, hostCard, profileWords } from '../host-parts/host-view.ts';
import { PresenceMark } from '../host-parts/presence-mark.tsx';
import { useHostFacts } from '../host-parts/use-fleet-facts.ts';
import { ActKeys } from '../intents/act-keys.tsx';
import { useActOn } from '../intents/act-on.tsx';
import { RowIntent } from '../intents/row-intent.tsx';
import { DEFAULT_RANGE } from './charts/chart-ranges.ts';
import type { HostChartsProps } from './charts/host-charts.tsx';
import { HostActions } from './host-actions.tsx';
import { hostLine } from './host-line.ts';
import { HostLedger } from './host-ledger.tsx';
import { HostMachine } from './host-machine.tsx';
import { HostModels } from './host-models.tsx';
import styles from './host-page.module.css';
import { HostRunning } from './host-running.tsx';
import { shownTab } from './host-search.ts';
import { HostTabs } from './host-tabs.tsx';
import { neighbours } from './models-view.ts';
import { ProfileMenu } from './profile-menu.tsx';

const HostCharts = deferred<HostChartsProps>(
  async () => (await import('./charts/host-charts.tsx')).HostCharts,
);
const route = getRouteApi('/hosts/$hostId');

/** One host: how it did over time, its models, what runs, and what everybody did there. */
export function HostPage() {
  const { hostId } = route.useParams();
  const { loaded } = useFleet();
  const host = useHost(hostId);
  if (host !== null) return <KnownHost key={hostId} hostId={hostId} />;
  return loaded ? (
    <NotFoundPage />
  ) : (
    <Page title={hostId} back={BACK}>
      {null}
    </Page>
  );
}

const BACK = { to: '/', label: 'Fleet' } as const;

function KnownHost({ hostId }: { readonly hostId: string }) {
  const facts = useHostFacts(hostId);
  const now = useNow(1000);
  const { role } = useSession();
  const { unavailable } = useActOn();
  const hop = collectorHop(useConnection(), now);
  const isWide = useMedia(BREAKPOINTS.aside);
  const search = route.useSearch();
  const { range = DEFAULT_RANGE } = search;
  const tab = shownTab(search, isWide);
  const navigate = route.useNavigate();
  useReportPresence(hostId, null);
  useNeighbourKeys(hostId);
  if (facts === null) return null;
  const view = hostCard(facts, hop, now);
  const isPast = view.freshness === 'past';
  const line = hostLine(facts, view, now);
  const part = { facts, hop, now, isPast };
  return (
    <Page
      title={view.label}
      back={BACK}
      demo={view.demo}
      lead={<HostGlyph view={view} />}
      summary={
        <>
          <HueText hue={view.hue} strong>
            {view.word}
          </HueText>{' '}
          {/* The profile stands on its button there. */}
          {line.filter((part) => part !== profileWords(facts.host)).join(' · ')}
        </>
      }
      actions={
        <>
          <PresenceMark hostId={hostId} words />
          <ProfileMenu host={facts.host} isPast={isPast} />
          <HostActions host={facts.host} />
          <HostMenu hostId={hostId} label={view.label} />
        </>
      }
      phoneAction={<HostMenu hostId={hostId} label={view.label} />}
    >
      <div className={styles.page} data-past={isPast} data-host-id={hostId}>
        <div className={styles.phoneHead}>
          <HostGlyph view={view} />
          <span className={styles.word}>
            <HueText hue={view.hue} strong>
              {view.word}
            </HueText>
          </span>
          <span className={styles.line}>{line.join(' · ')}</span>
          <PresenceMark hostId={hostId} words />
        </div>
        <RowIntent hostId={hostId} />
        {role === null || unavailable === null ? null : (
          <div className={styles.reason}>
            <p>{unavailable}</p>
          </div>
        )}
        {view.reason === null ? null : (
          <div className={styles.reason} data-past={isPast}>
            <p>{view.reason}</p>
            {view.keyRefused ? (
              <LinkButton to="/hosts/$hostId/edit" params={{ hostId }}>
                Replace key
              </LinkButton>
            ) : null}
          </div>
        )}
        <HostTabs
          hostId={hostId}
          label={view.label}
          shown={tab}
          isWide={isWide}
          models={Math.max(facts.host.modelCount ?? 0, facts.models.length)}
        />
        <div className={styles.columns} data-tab={tab}>
          {tab === 'now' ? null : (
            <div className={styles.main}>
              {tab === 'models' ? (
                <HostModels {...part} />
              ) : (
                <HostCharts
                  host={facts.host}
                  range={range}
                  onRange={(next) =>
                    void navigate({ search: (last) => ({ ...last, range: next }), replace: true })
                  }
                />
              )}
            </div>
          )}
          {tab === 'history' ? null : (
            <div className={styles.aside}>
              {tab === 'models' ? null : <HostModels {...part} isBrief={tab === 'overview'} />}
              <HostRunning {...part} />
              <HostMachine host={facts.host} now={now} isPast={isPast} />
              <HostLedger hostId={hostId} />
            </div>
          )}
        </div>
        <ActKeys pageHostId={hostId} />
        <Announce message={`${view.label} ${facts.host.paused ? 'paused' : facts.host.liveness}`} />
      </div>
    </Page>
  );
}

function HostGlyph({ view: { glyph, hue, freshness } }: { readonly view: HostCardView }) {
  return <Glyph name={glyph} hue={freshness === 'live' || hue !== 'ready' ? hue : 'stale'} size="header" />;
}

/** `[` and `]` go through the hosts, Escape back to the fleet. */
function useNeighbourKeys(hostId: string): void {
  const { hosts } = useFleet();
  const navigate = route.useNavigate();
  const { previous, next } = neighbours(hosts, hostId);
  const open = (id: string | null): void => {
    if (id !== null) void navigate({ to: '/hosts/$hostId', params: { hostId: id }, replace: true });
  };
  useShortcuts({
    '[': () => open(previous),
    ']': () => open(next),
    Escape: () => void navigate({ to: '/' }),
  });
}
