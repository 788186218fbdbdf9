import { useEffect } from 'react';
import { useDeferredLoad } from '../../ui/deferred.tsx';
import { SheetFrame } from '../../ui/sheet-frame.tsx';
import { useBackCloses } from '../../ui/use-back-closes.ts';
import { modelOf } from '../intents/act-drafts.ts';
import { giveUpActs, useWaitingAct } from '../intents/act-requests.ts';
import { closeModelSheet, useOpenModel } from '../intents/model-sheet-state.ts';

/** Answers what was asked for before the code that decides about it has come. */
export function ActWaiting() {
  const { hasFailed, retry } = useDeferredLoad();
  const act = useWaitingAct();
  const model = useOpenModel();
  const isAsked = act !== null || model !== null;
  useEffect(() => {
    if (isAsked) retry();
  }, [isAsked, retry]);
  function close(): void {
    giveUpActs();
    closeModelSheet();
  }
  useBackCloses(isAsked && hasFailed, close);
  if (!isAsked) return null;
  const title = act === null ? model?.modelId : (modelOf(act) ?? act.target.hostId);
  return <SheetFrame title={title ?? ''} onClose={close} />;
}
