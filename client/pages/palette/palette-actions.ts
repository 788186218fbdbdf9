import type { Host } from '#shared/schemas/host.ts';
import type { Model } from '#shared/schemas/model.ts';
import type { ActDraft } from '../intents/act-drafts.ts';
import {
  cancelRequestDraft,
  loadDraft,
  pauseDraft,
  profileDraft,
  resumeDraft,
  unloadAllDraft,
  unloadDraft,
} from '../intents/act-drafts.ts';
import { profileChoices } from '../host-parts/profile-view.ts';
import { sourceWords } from '../frame/source-words.ts';
import { intentTitleOn } from '../intents/intent-words.ts';
import type { PaletteFacts, PaletteItem } from './palette-item.ts';
import { AT_REST, runsWords, stampWords, stateWords } from './palette-words.ts';

/** Everything that can be done now: to each model, each host and each running request. */
export function actionItems(facts: PaletteFacts): readonly PaletteItem[] {
  const { hosts, models } = facts;
  const byId = new Map(hosts.map((host) => [host.id, host]));
  return [
    ...models.flatMap((model) => {
      const host = byId.get(model.hostId);
      return host === undefined || model.peerId !== null ? [] : [modelAction(model, host, facts)];
    }),
    ...hosts.flatMap((host) => hostActions(host, facts)),
    ...requestActions(facts),
  ];
}

function modelAction(model: Model, host: Host, facts: PaletteFacts): PaletteItem {
  const isLoaded = !AT_REST.includes(model.state);
  const draft = (isLoaded ? unloadDraft : loadDraft)(host.id, model.modelId);
  return action(
    draft,
    host,
    facts,
    isLoaded ? runsWords(host, model.modelId, facts) : stateWords(model, facts),
  );
}

function hostActions(host: Host, facts: PaletteFacts): readonly PaletteItem[] {
  const since = stampWords(facts);
  const pause = host.paused
    ? action(resumeDraft(host.id), host, facts, since)
    : action(pauseDraft(host.id), host, facts, since);
  return [
    action(unloadAllDraft(host.id), host, facts, runsWords(host, null, facts)),
    pause,
    ...profileActions(host, facts),
  ];
}

/** Those that are not active, as far as it is known. */
function profileActions(host: Host, facts: PaletteFacts): readonly PaletteItem[] {
  return profileChoices(host)
    .filter(({ isActive }) => !isActive)
    .map(({ name, detail }) => action(profileDraft(host.id, name), host, facts, detail, stampWords(facts)));
}

function requestActions(facts: PaletteFacts): readonly PaletteItem[] {
  const { hosts, inFlight } = facts;
  return inFlight.flatMap(({ hostId, requests }) => {
    const host = hosts.find(({ id }) => id === hostId);
    if (host === undefined) return [];
    return (requests ?? []).map(({ id, modelId, source }) =>
      action(
        cancelRequestDraft(hostId, modelId, id),
        host,
        facts,
        source === null ? 'source unknown' : sourceWords(source),
      ),
    );
  });
}

function action(draft: ActDraft, host: Host, facts: PaletteFacts, ...words: readonly string[]): PaletteItem {
  const subject = { kind: draft.kind, target: draft.target, params: { ...draft.params } };
  const parts = [...words, facts.isLive ? '' : 'will queue'].filter((part) => part !== '');
  return {
    key: `act ${JSON.stringify([draft.kind, draft.target, draft.params])}`,
    group: 'Actions',
    label: intentTitleOn(subject, host.label),
    detail: facts.actBlock ?? parts.join(', '),
    shape: null,
    unavailable: facts.actBlock,
    run: { do: 'act', draft },
  };
}
