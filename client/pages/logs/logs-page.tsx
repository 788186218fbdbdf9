import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useConnection } from '../../data/use-connection.ts';
import { useFleet } from '../../data/use-fleet.ts';
import { useEarlierLines } from '../../data/use-earlier-lines.ts';
import { useLog, useLogSearch } from '../../data/use-logs.ts';
import { useNow } from '../../data/use-now.ts';
import { useSession } from '../../data/use-session.ts';
import { IconButton } from '../../ui/button.tsx';
import { ToggleChip } from '../../ui/chip.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { BREAKPOINTS, useMedia } from '../../ui/use-media.ts';
import { Page } from '../frame/page.tsx';
import { PhoneFilter } from '../frame/phone-filter.tsx';
import { EarlierBar } from './earlier-bar.tsx';
import { LogBar } from './log-bar.tsx';
import { LogList } from './log-list.tsx';
import { LogSources, type LogChoice } from './log-sources.tsx';
import { filterLines, hitsOf, statusWords } from './log-view.ts';
import styles from './logs-page.module.css';
import { parseLogsSearch, type LogsSearch } from './logs-search.ts';
import { copyLines, downloadLines } from './take-lines.ts';
import { useHeldLines } from './use-held-lines.ts';

const route = getRouteApi('/logs');

/** What hosts and models write, as it comes; what was opened before can be read without a connection. */
export function LogsPage() {
  const search = parseLogsSearch(route.useSearch());
  const navigate = route.useNavigate();
  const { hosts } = useFleet();
  const { role } = useSession();
  const { kind } = useConnection();
  const now = useNow(5_000);
  const isLaptop = useMedia(BREAKPOINTS.laptop);
  const host =
    hosts.find(({ id }) => id === search.host) ??
    (search.host === undefined
      ? (hosts.find(({ liveness }) => liveness === 'connected') ?? hosts[0])
      : undefined);
  const mayRead = role !== 'viewer';
  const view = useLog(mayRead ? (host?.id ?? null) : null, search.model ?? null);
  const { source, model, level } = search;
  const held = useHeldLines(
    filterLines(view.lines, search),
    JSON.stringify([host?.id, source, model, level]),
  );
  // Models have no log of their own on the collector's disk.
  const earlier = useEarlierLines(mayRead && model === undefined ? (host?.id ?? null) : null, held.shown);
  const shown =
    earlier.lines.length === 0 ? held.shown : [...filterLines(earlier.lines, search), ...earlier.rest];
  const found = useLogSearch(search.q ?? '', shown);
  const hits = hitsOf(shown, found.ranges);
  const [currentHit, setCurrentHit] = useState<number | null>(null);
  const hit = currentHit === null ? 0 : hits.indexOf(currentHit) + 1;
  const wrap = search.wrap ?? !isLaptop;

  const change = (changes: Partial<Record<keyof LogsSearch, unknown>>): void => {
    const next = Object.fromEntries(
      Object.entries({ ...search, ...changes }).filter(([, value]) => value !== undefined),
    );
    void navigate({ search: next, replace: true });
  };
  const choose = (choice: LogChoice): void => change({ source: choice.source, model: choice.model });
  const step = (by: 1 | -1): void => {
    // The newest match first: it is what somebody looks for.
    const next = hit === 0 ? hits.length - 1 : (hit - 1 + by + hits.length) % hits.length;
    held.hold();
    setCurrentHit(hits[next] ?? null);
  };
  const toggleFollow = (): void => {
    setCurrentHit(null);
    if (held.isHeld) held.release();
    else held.hold();
  };
  const copy = (): void => void copyLines(shown);
  const download = (): void =>
    void downloadLines(
      async () => filterLines(await earlier.all(), search),
      [host?.id, model ?? source].filter(Boolean).join('-'),
    );
  useShortcuts({
    ' ': toggleFollow,
    w: () => change({ wrap: !wrap }),
    c: copy,
    n: () => (hits.length > 0 ? step(1) : undefined),
    N: () => (hits.length > 0 ? step(-1) : undefined),
  });

  if (host === undefined) {
    const words = hosts.length === 0 ? 'No host was added yet.' : `There is no host ${search.host ?? ''}.`;
    return (
      <Page title="Logs">
        <p className={styles.empty}>{words}</p>
      </Page>
    );
  }
  if (!mayRead) {
    return (
      <Page title="Logs">
        <p className={styles.empty}>Logs may hold prompts and answers: operators and admins read them.</p>
      </Page>
    );
  }
  const { keptFrom } = earlier;
  const sources = { hostId: host.id, hostLabel: host.label, chosen: search, onChoose: choose, keptFrom };
  const status = statusWords(view, { host: host.label, now, connection: kind });
  const isFollowing = !held.isHeld && kind === 'live';
  return (
    <Page
      title="Logs"
      layout="fill"
      demo={host.demo}
      phoneAction={
        <PhoneFilter
          label="regular expression"
          value={search.q ?? ''}
          onChange={(text) => change({ q: text === '' ? undefined : text })}
        />
      }
      actions={
        <>
          <IconButton label="Wrap lines (w)" aria-pressed={wrap} onClick={() => change({ wrap: !wrap })}>
            <Icon name="wrap" />
          </IconButton>
          <IconButton label="Copy what is shown (c)" onClick={copy}>
            <Icon name="copy" />
          </IconButton>
          <IconButton label="Download what is shown" onClick={download}>
            <Icon name="download" />
          </IconButton>
          <ToggleChip isOn={isFollowing} onToggle={toggleFollow}>
            <Glyph name={isFollowing ? 'live' : 'unknown'} hue={isFollowing ? 'ready' : 'off'} />
            {held.isHeld ? 'Follow' : 'Following'}
          </ToggleChip>
        </>
      }
    >
      <div className={styles.page}>
        <LogBar
          {...sources}
          search={search}
          wrap={wrap}
          found={found}
          hits={hits.length}
          hit={hit}
          onStep={step}
          onChange={change}
          onCopy={copy}
          onDownload={download}
        />
        <div className={styles.columns}>
          <aside className={styles.aside}>
            <LogSources {...sources} />
          </aside>
          <div className={styles.log}>
            <EarlierBar earlier={earlier} now={now} onMore={held.hold} />
            <LogList
              key={`${host.id} ${model ?? ''}`}
              held={{ ...held, shown }}
              found={found}
              currentHit={currentHit}
              wrap={wrap}
              label={`Log of ${model ?? host.label}`}
            />
            {status === null ? null : (
              <p className={styles.status} data-stale={status.isStale}>
                {status.words}
              </p>
            )}
          </div>
        </div>
      </div>
    </Page>
  );
}
