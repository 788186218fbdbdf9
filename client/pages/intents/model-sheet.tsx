import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Host } from '#shared/schemas/host.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useHost, useModels } from '../../data/use-fleet.ts';
import { useHostIntents } from '../../data/use-intents.ts';
import { useLive } from '../../data/use-live.ts';
import { useNow } from '../../data/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { DemoMark } from '../../ui/demo-mark.tsx';
import { deferred } from '../../ui/deferred.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailedStartLines } from '../host-parts/failed-start-lines.tsx';
import type { CollectorHop } from '../host-parts/host-view.ts';
import { collectorHop } from '../host-parts/host-view.ts';
import { LogLink } from '../host-parts/log-link.tsx';
import type { ModelHistoryPanelProps } from '../host-parts/model-history-panel.tsx';
import type { ActDraft } from './act-drafts.ts';
import { useActOn } from './act-on.tsx';
import { intentTitle } from './intent-words.ts';
import { modelActions } from './model-actions.ts';
import { modelFacts } from './model-facts.ts';
import { closeModelSheet, useOpenModel } from './model-sheet-state.ts';
import styles from './model-sheet.module.css';
import { OpenIntent } from './open-intent-mark.tsx';
import { openIntentOn } from './open-intent.ts';
import { RunningRows } from './running-rows.tsx';

const ModelHistoryPanel = deferred<ModelHistoryPanelProps>(
  async () => (await import('../host-parts/model-history-panel.tsx')).ModelHistoryPanel,
);

/** The sheet of a model: what is known of it, what runs on it, and what can be done. One, for every page. */
export function ModelSheet() {
  const open = useOpenModel();
  const router = useRouter();
  // A link in it leads to another page, which is no place for it any more.
  useEffect(
    () =>
      router.subscribe('onResolved', ({ pathChanged }) => {
        if (pathChanged) closeModelSheet();
      }),
    [router],
  );
  return (
    <Dialog
      open={open !== null}
      onClose={closeModelSheet}
      title={open?.modelId ?? ''}
      actions={open === null ? undefined : <Actions hostId={open.hostId} modelId={open.modelId} />}
    >
      {open === null ? null : <Facts hostId={open.hostId} modelId={open.modelId} />}
    </Dialog>
  );
}

interface OfModel {
  readonly hostId: string;
  readonly modelId: string;
}

function Facts({ hostId, modelId }: OfModel) {
  const now = useNow(1000);
  const host = useHost(hostId);
  const model = useModel(hostId, modelId);
  const { inFlight } = useLive(hostId);
  const hop = collectorHop(useConnection(), now);
  const entry = openIntentOn(useHostIntents(hostId), { modelId, requestId: null });
  if (host === null || model === null) return <p>The host does not list this model any more.</p>;
  const { rows, requests } = modelFacts({ host, models: [model], inFlight }, model, hop, now);
  return (
    <>
      {host.demo ? <DemoMark /> : null}
      {entry === null ? null : (
        <div className={styles.open}>
          <span className={styles.title}>{intentTitle(entry)}</span>
          <OpenIntent entry={entry} now={now} isPast={hop.kind === 'away'} />
        </div>
      )}
      {model.failedStart === null ? null : (
        <div className={styles.failed}>
          <FailedStartLines failedStart={model.failedStart} />
        </div>
      )}
      <dl className={styles.facts}>
        {rows.map(([name, value]) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {requests.length === 0 ? null : (
        <div className={styles.running}>
          <RunningRows requests={requests} limit={6} lead="source" />
        </div>
      )}
      {model.peerId === null ? <ModelHistoryPanel model={model} now={now} asOf={asOf(host, hop)} /> : null}
    </>
  );
}

function Actions({ hostId, modelId }: OfModel) {
  const model = useModel(hostId, modelId);
  const entry = openIntentOn(useHostIntents(hostId), { modelId, requestId: null });
  const { act, unavailable, willQueue } = useActOn();
  if (model === null) return null;
  const { actions, why } = modelActions(model, entry);
  // The same once more would only be replaced by the first.
  const offered = actions.filter(({ draft }) => entry === null || draft.kind !== entry.kind);

  // One sheet at a time: what may have to be confirmed comes when this one is gone.
  function choose(draft: ActDraft): void {
    closeModelSheet();
    void act(draft);
  }

  return (
    <>
      {offered.map(({ label, draft }, index) => (
        <Button
          key={label}
          look={index === 0 ? 'ink' : 'plain'}
          unavailable={unavailable}
          onClick={() => choose(draft)}
        >
          {willQueue ? `${label}: will queue` : label}
        </Button>
      ))}
      {model.peerId === null ? <LogLink hostId={hostId} modelId={modelId} inSheet /> : null}
      {why === null && unavailable === null ? null : <p className={styles.why}>{why ?? unavailable}</p>}
    </>
  );
}

/** Until when the history is whole: what happened later on a host that is not heard, nobody here knows. */
function asOf(host: Host, hop: CollectorHop): number | null {
  if (hop.kind === 'away') return hop.asOf;
  return host.liveness === 'connected' ? null : host.lastSeenAt;
}

function useModel(hostId: string, modelId: string) {
  return useModels(hostId).find((model) => model.modelId === modelId) ?? null;
}
