import type { Model } from '#shared/schemas/model.ts';
import type { IntentEntry } from '../../data/intents/types.ts';
import type { ActDraft } from './act-drafts.ts';
import { loadDraft, unloadDraft } from './act-drafts.ts';

/** Something that can be done with a model. */
export interface ModelAction {
  readonly label: 'Load' | 'Unload' | 'Abort start';
  readonly draft: ActDraft;
}

/** What can be done with a model in its state; `why` says why there is nothing. */
export interface ModelActions {
  readonly actions: readonly ModelAction[];
  readonly why: string | null;
}

/** The actions that make sense for a model as it is known. `open`: what is under way for it. */
export function modelActions(model: Model, open: IntentEntry | null): ModelActions {
  const { hostId, modelId, state, peerId } = model;
  if (peerId !== null) return { actions: [], why: `It runs on the peer ${peerId}, not here.` };
  const load: ModelAction = { label: 'Load', draft: loadDraft(hostId, modelId) };
  const unload: ModelAction = { label: 'Unload', draft: unloadDraft(hostId, modelId) };
  switch (state) {
    case 'ready':
      return { actions: [unload], why: null };
    case 'starting': {
      const isRunningLoad = open?.kind === 'model.load' && open.state === 'running';
      const draft = unloadDraft(hostId, modelId, isRunningLoad ? open.id : undefined);
      return { actions: [{ label: 'Abort start', draft }], why: null };
    }
    case 'stopping':
      return { actions: [], why: 'It is being stopped.' };
    case 'stopped':
    case 'shutdown':
      return { actions: [load], why: null };
    default:
      return { actions: [load, unload], why: null };
  }
}
