import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DemoMark } from '../../ui/demo-mark.tsx';
import { formatAgo, UNKNOWN } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { HueText } from '../../ui/hue-text.tsx';
import type { CollectorHop, HostCardView, HostFacts } from '../host-parts/host-view.ts';
import { failedModels, hostCard } from '../host-parts/host-view.ts';
import { PresenceMark } from '../host-parts/presence-mark.tsx';
import { openModelSheet } from '../intents/model-sheet-state.ts';
import styles from './fleet-table.module.css';
import { HostMenu } from '../host-parts/host-menu.tsx';

/** See {@link FleetTable}. */
export interface FleetTableProps {
  readonly fleet: readonly HostFacts[];
  readonly hop: CollectorHop;
  readonly now: number;
  readonly last: ReadonlyMap<string, number>;
}

type Column = 'own' | 'host' | 'state' | 'running' | 'last';

/** Many hosts, one line each; heads sort on demand, never by themselves. */
export function FleetTable({ fleet, hop, now, last }: FleetTableProps) {
  const [sortBy, setSortBy] = useState<Column>('own');
  const [order, setOrder] = useState<readonly string[]>([]);
  const rows = fleet.map((facts) => ({
    facts,
    view: hostCard(facts, hop, now),
    lastAt: last.get(facts.host.id) ?? null,
    running: facts.inFlight?.total ?? null,
    failures: failedModels(facts),
  }));
  type Row = (typeof rows)[number];
  const compare: Readonly<Record<Column, (a: Row, b: Row) => number>> = {
    own: () => 0,
    host: (a, b) => a.view.label.localeCompare(b.view.label, undefined, { numeric: true }),
    // What needs somebody comes first.
    state: (a, b) =>
      Number(b.view.isTrouble) - Number(a.view.isTrouble) || a.view.word.localeCompare(b.view.word),
    // Unknown sorts last.
    running: (a, b) => (b.running ?? -1) - (a.running ?? -1),
    last: (a, b) => (b.lastAt ?? 0) - (a.lastAt ?? 0),
  };
  const places = new Map(order.map((id, place) => [id, place]));
  const shown =
    sortBy === 'own'
      ? rows
      : [...rows].sort((a, b) => (places.get(a.view.id) ?? 1e9) - (places.get(b.view.id) ?? 1e9));
  const head = (column: Column, label: string) => (
    <th scope="col" aria-sort={sortBy === column ? 'descending' : 'none'}>
      <button
        type="button"
        className={styles.sort}
        onClick={() => {
          setSortBy(column);
          setOrder([...rows].sort(compare[column]).map((row) => row.view.id));
        }}
      >
        {label}
      </button>
    </th>
  );
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            {head('host', 'Host')}
            {head('state', 'State')}
            <th scope="col">Build, age</th>
            <th scope="col">Failed, ready models</th>
            {head('running', 'Running')}
            {head('last', 'Last request')}
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ view, running, lastAt, facts, failures }) => (
            <tr
              key={view.id}
              id={`host-${view.id}`}
              tabIndex={-1}
              data-past={view.freshness === 'past'}
              data-host-id={view.id}
            >
              <th scope="row" className={styles.host}>
                <Link to="/hosts/$hostId" params={{ hostId: view.id }} className={styles.link} data-stop="">
                  {view.label}
                </Link>{' '}
                {view.demo ? <DemoMark /> : null} <PresenceMark hostId={view.id} />
              </th>
              <td>
                <span className={styles.state}>
                  <Glyph name={view.glyph} hue={view.hue} />
                  <HueText hue={view.hue} strong>
                    {view.word}
                  </HueText>
                </span>
              </td>
              <td className={styles.facts}>{view.facts.join(' · ')}</td>
              <td>
                {failures.map((modelId) => (
                  <button
                    key={modelId}
                    type="button"
                    className={styles.failed}
                    onClick={() => openModelSheet(view.id, modelId)}
                  >
                    <Glyph name="failed" hue={view.freshness === 'past' ? 'stale' : 'bad'} />
                    {modelId} {view.freshness === 'past' ? 'had failed' : 'failed'}
                  </button>
                ))}
                {readyWords(facts, view)}
              </td>
              <td className={styles.number}>
                {view.freshness === 'past' || running === null ? UNKNOWN : running}
              </td>
              <td className={styles.number}>{lastAt === null ? UNKNOWN : formatAgo(lastAt, now)}</td>
              <td className={styles.menu}>
                <HostMenu hostId={view.id} label={view.label} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function readyWords(facts: HostFacts, { freshness }: HostCardView): string {
  const { models } = facts;
  const isPast = freshness === 'past';
  const ready = models.filter((model) => model.state === 'ready').map((model) => model.modelId);
  // Beside one that failed "none" would say less than nothing.
  if (ready.length === 0) return failedModels(facts).length > 0 ? '' : isPast ? UNKNOWN : 'none';
  return isPast ? `was ready: ${ready.join(', ')}` : ready.join(', ');
}
