import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { IntentEntry } from '../../data/intents/types.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useFleet } from '../../data/use-fleet.ts';
import { useIntent, useIntents, useOutbox } from '../../data/use-intents.ts';
import { useNow } from '../../data/use-now.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { DemoMark } from '../../ui/demo-mark.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { BREAKPOINTS, useMedia } from '../../ui/use-media.ts';
import { Page } from '../frame/page.tsx';
import { useActOn } from '../intents/act-on.tsx';
import { intentTitleOn } from '../intents/intent-words.ts';
import { ExpirySheet } from './expiry-sheet.tsx';
import { NoteSheet } from './note-sheet.tsx';
import { OutboxDetail, StateChip } from './outbox-detail.tsx';
import { saveEntries, saveUnsent } from './outbox-export.ts';
import { OutboxFilters, PhoneFilters } from './outbox-filters.tsx';
import { OutboxList } from './outbox-list.tsx';
import styles from './outbox-page.module.css';
import { matchingEntries, outboxSections, outboxSummary } from './outbox-sections.ts';
import { RestoredNotice } from './restored-notice.tsx';
import { ReviewNotice } from './review-notice.tsx';
import { StorageNotice } from './storage-notice.tsx';
import { useEntryActs } from './use-entry-acts.ts';
import { useListKeys } from './use-list-keys.ts';

const route = getRouteApi('/outbox');

/** Every action: what waits on this device, what the collector does with the others, and what became of them. */
export function OutboxPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const entries = useIntents();
  const outbox = useOutbox();
  const { hosts } = useFleet();
  const connection = useConnection();
  const now = useNow(1000);
  const isLaptop = useMedia(BREAKPOINTS.laptop);
  const isAside = useMedia(BREAKPOINTS.aside);
  const { unavailable } = useActOn();
  const list = useRef<HTMLDivElement>(null);
  const asOf = connection.kind === 'live' ? null : (connection.dataAsOf ?? connection.since);
  const shown = matchingEntries(entries, search);
  const sections = outboxSections(shown, { now, asOf, heldIds: outbox.review?.ids ?? [] });
  const open = useIntent(search.id ?? '');
  const show = (id: string | undefined): void => {
    const { id: _id, ...rest } = search;
    void navigate({ search: id === undefined ? rest : { ...rest, id }, replace: true });
  };
  const acts = useEntryActs(show);
  useListKeys(list, {
    entryOf: (id) => entries.find((entry) => entry.id === id) ?? null,
    onAct: acts.act,
    isBlocked: unavailable !== null,
    onEscape: () => show(undefined),
  });
  return (
    <Page
      title="Outbox"
      demo={hosts.length > 0 && hosts.every((host) => host.demo)}
      layout={isLaptop ? 'flush' : 'padded'}
      summary={outboxSummary(sections)}
      phoneAction={<PhoneFilters entries={entries} onExport={() => saveEntries(shown)} />}
      actions={
        <>
          <OutboxFilters entries={entries} />
          <Button onClick={() => saveEntries(shown)}>
            <Icon name="outbox" />
            Export
          </Button>
        </>
      }
    >
      <StorageNotice outbox={outbox} onExport={() => void saveUnsent()} />
      <RestoredNotice />
      {connection.kind === 'live' ? <ReviewNotice outbox={outbox} /> : null}
      <div className={styles.columns}>
        <div ref={list} className={styles.list}>
          <OutboxList
            sections={sections}
            entries={entries}
            hosts={hosts}
            now={now}
            isLaptop={isLaptop}
            openId={open?.id ?? null}
            unavailable={unavailable}
            onOpen={(id) => show(id === search.id && isAside ? undefined : id)}
            onAct={acts.act}
          />
          {sections.length > 0 ? null : (
            <Empty isFiltered={entries.length > 0} onClear={() => void navigate({ search: {} })} />
          )}
        </div>
        <Opened
          entry={open}
          entries={entries}
          isAside={isAside}
          asOf={asOf}
          onClose={() => show(undefined)}
          acts={acts}
          unavailable={unavailable}
        />
      </div>
      <ExpirySheet entry={acts.expiryOf} onClose={acts.closeSheet} />
      <NoteSheet entry={acts.noteOf} onClose={acts.closeSheet} />
    </Page>
  );
}

interface OpenedProps {
  readonly entry: IntentEntry | null;
  readonly entries: readonly IntentEntry[];
  readonly isAside: boolean;
  readonly asOf: number | null;
  readonly unavailable: string | null;
  readonly acts: ReturnType<typeof useEntryActs>;
  readonly onClose: () => void;
}

/** The action that is open: beside the list where there is room, else as a sheet over it. */
function Opened({ entry, entries, isAside, asOf, unavailable, acts, onClose }: OpenedProps) {
  const now = useNow(1000);
  const { hosts } = useFleet();
  // What a sheet was about stays while it slides away.
  const [last, setLast] = useState(entry);
  if (entry !== null && entry !== last) setLast(entry);
  const shown = isAside ? entry : last;
  if (shown === null) return null;
  const host = hosts.find(({ id }) => id === shown.target.hostId);
  const hostLabel = host?.label ?? shown.target.hostId;
  const title = intentTitleOn(shown, hostLabel);
  const isPast = asOf !== null;
  const other = entries.find(({ id }) => id === shown.evidence?.byIntentId) ?? null;
  const detail = (
    <OutboxDetail
      entry={shown}
      context={{ now, isPast, other }}
      unavailable={unavailable}
      onAct={acts.act}
      inSheet={!isAside}
      onLogShown={acts.logOf === shown.id ? acts.logShown : null}
    />
  );
  if (!isAside) {
    return (
      <Dialog open={entry !== null} onClose={onClose} title={title}>
        <StateChip entry={shown} isPast={isPast} /> {host?.demo === true ? <DemoMark /> : null}
        {detail}
      </Dialog>
    );
  }
  return (
    <aside className={styles.aside} aria-label={title}>
      <div className={styles.asideHead}>
        <span>
          <StateChip entry={shown} isPast={isPast} /> {host?.demo === true ? <DemoMark /> : null}
        </span>
        <IconButton label="Copy as JSON" onClick={() => acts.copy(shown)}>
          <Icon name="copy" />
        </IconButton>
        <IconButton label="Close" onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </div>
      <h2 className={styles.asideTitle}>{title}</h2>
      {detail}
    </aside>
  );
}

function Empty({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  return (
    <div className={styles.empty}>
      <p>{isFiltered ? 'Nothing matches.' : 'Nothing waits.'}</p>
      {isFiltered ? (
        <Button onClick={onClear}>Clear filters</Button>
      ) : (
        <p className={styles.hint}>
          What is asked of a host appears here: what waits, what became of it, and why.
        </p>
      )}
    </div>
  );
}
