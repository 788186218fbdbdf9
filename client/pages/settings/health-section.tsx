import { useEffect } from 'react';
import { routes } from '#shared/http/routes.ts';
import { failedFirst, healthStatus, healthSummary, STATUS_WORDS } from '#shared/lib/health-words.ts';
import type { Health } from '#shared/schemas/info.ts';
import { keepReport, useKeptReport } from '../../data/health-report.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useDeviceFacts } from '../../data/use-device-facts.ts';
import { useNow } from '../../data/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { formatStamp } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useAnswer } from '../frame/use-answer.ts';
import { CheckRow } from './check-row.tsx';
import { CopyReport } from './copy-report.tsx';
import { deviceCheck } from './device-check.ts';
import styles from './health-section.module.css';
import { Section } from './section.tsx';
import { StatusBadge } from './status-badge.tsx';

const REFRESH_MS = 30_000;

/** What the collector and this device say of themselves, failed first, each with what to do; away, the last report. */
export function HealthSection() {
  // Ages grow while the page is looked at; every so often they are asked for.
  const turn = Math.floor(useNow(REFRESH_MS) / REFRESH_MS);
  const { value, at, problem, isAsking, reload } = useAnswer(routes.health, true, {}, turn);
  const device = deviceCheck(useDeviceFacts());
  const kept = useKeptReport();
  const connection = useConnection();
  const now = useNow(5000);
  useEffect(() => {
    if (value !== null && at !== null) keepReport({ health: value, at });
  }, [value, at]);
  const health: Health | null = value?.checks === undefined ? (kept?.health ?? null) : value;
  const checkedAt = value?.checks === undefined ? (kept?.at ?? null) : at;
  const isStale = problem !== null || connection.kind !== 'live';
  const reported = health?.checks ?? [];
  const stamp = checkedAt === null ? null : formatStamp(checkedAt, now);
  const words = stampWords({ stamp, problem, isStale });
  const all = failedFirst([...reported, device]);
  return (
    <Section
      title="Health"
      note={
        <span className={styles.note}>
          {health === null ? null : <StatusBadge status={healthStatus(all)} isStale={isStale} />}
          <span>{health === null ? words : `${healthSummary(all)} · ${words}`}</span>
        </span>
      }
      action={
        <span className={styles.actions}>
          <CopyReport
            checks={all}
            head={`Drover health: ${health === null ? 'no report of the collector' : `${STATUS_WORDS[healthStatus(all)]}, ${words}`}`}
          />
          <Button disabled={isAsking} onClick={() => reload()}>
            {isAsking ? 'Checking' : 'Check now'}
          </Button>
        </span>
      }
    >
      <Panel label="Checks">
        <div className={styles.columns} aria-hidden="true">
          <span>State</span>
          <span>What</span>
          <span>Detail</span>
          <span>Remedy</span>
        </div>
        <ul className={styles.rows} data-stale={isStale && reported.length > 0}>
          {all.map((check) => (
            <CheckRow key={check.name} check={check} isStale={isStale && check !== device} />
          ))}
        </ul>
        {health === null ? (
          <p className={styles.empty}>
            <Icon name="info" size="s" />
            {problem === null ? 'Asking the collector.' : `${problem} This device has no earlier report.`}
          </p>
        ) : null}
      </Panel>
      <p className={styles.hint}>
        <code>npx drover doctor</code> prints the same on the server. Failures are never shortened.
      </p>
    </Section>
  );
}

function stampWords({
  stamp,
  problem,
  isStale,
}: {
  readonly stamp: string | null;
  readonly problem: string | null;
  readonly isStale: boolean;
}): string {
  if (stamp === null) return problem ?? 'asking the collector';
  return isStale ? `last report ${stamp}` : `checked ${stamp}`;
}
