import { useEffect, useEffectEvent, useRef } from 'react';
import type { IntentEntry } from '../../data/intents/types.ts';
import { useModelEvents } from '../../data/use-model-events.ts';
import { LogLines } from '../host-parts/log-lines.tsx';
import { LogLink } from '../host-parts/log-link.tsx';
import styles from './outbox-detail.module.css';

/** The ledger keeps the last hundred actions: older ones than this are rare. */
const LEDGER_MS = 30 * 24 * 3_600_000;
/** A load has failed when its start was judged, which may take as long. */
const JUDGED_WITHIN_MS = 5_000;

interface DetailLogProps {
  readonly entry: IntentEntry;
  readonly inSheet: boolean;
  /** Set: the lines were asked for. They get the focus, and it is told. */
  readonly onShown: (() => void) | null;
}

/** True for what has a log to look into: a load that did not come to its end. */
export function isFailedLoad({ kind, state, evidence }: IntentEntry): boolean {
  return state === 'failed' && (kind === 'model.load' || evidence?.lines !== undefined);
}

/** The last log lines of a start that failed, and the way to the whole log. */
export function DetailLog({ entry, inSheet, onShown }: DetailLogProps) {
  const section = useRef<HTMLElement>(null);
  const isWanted = onShown !== null;
  const tell = useEffectEvent(() => onShown?.());
  useEffect(() => {
    if (!isWanted) return;
    section.current?.scrollIntoView({ block: 'nearest' });
    section.current?.focus({ preventScroll: true });
    tell();
  }, [isWanted]);
  const { hostId, modelId } = entry.target;
  const lines = useLines(entry);
  return (
    <section ref={section} tabIndex={-1} className={styles.log} aria-label="Last log lines">
      <h3 className={styles.title}>Last log lines</h3>
      {lines.length === 0 ? (
        <p>The host gave no log lines about it.</p>
      ) : (
        <LogLines lines={lines} label="Log lines around the failure" />
      )}
      {hostId === null || modelId === undefined ? null : (
        <p className={styles.logLink}>
          <LogLink hostId={hostId} modelId={modelId} inSheet={inSheet} />
        </p>
      )}
    </section>
  );
}

/** The lines kept with the failed start itself, where this device has it: the ledger has room for a few only. */
function useLines({ target, evidence, endedAt }: IntentEntry): readonly string[] {
  const { hostId, modelId } = target;
  const held = useModelEvents(hostId === null ? null : { hostId, spanMs: LEDGER_MS, stamp: '' });
  const failed = held?.events.findLast(
    (event) =>
      event.modelId === modelId &&
      event.lines !== undefined &&
      endedAt !== null &&
      Math.abs(event.at - endedAt) <= JUDGED_WITHIN_MS,
  );
  return failed?.lines ?? evidence?.lines ?? [];
}
