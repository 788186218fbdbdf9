import { useFleet } from '../../data/use-fleet.ts';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { showToast } from '../../ui/toast.tsx';
import type { ActDraft } from './act-drafts.ts';
import {
  cancelRequestDraft,
  loadDraft,
  pauseDraft,
  resumeDraft,
  unloadAllDraft,
  unloadDraft,
} from './act-drafts.ts';
import { useActOn } from './act-on.tsx';

/** See {@link ActKeys}. */
export interface ActKeysProps {
  /** The host of the page, for what is not said by the focus. */
  readonly pageHostId?: string;
}

/**
 * Keys that act on what has the focus: a model's row, a request's row or a host's card, by their `data-` attributes; `j`
 * and `k` go from one to the next.
 */
export function ActKeys({ pageHostId }: ActKeysProps) {
  const { act, unavailable } = useActOn();
  const { hosts } = useFleet();

  function go(make: (focus: Focus) => ActDraft | null): void {
    const draft = make(focused(pageHostId ?? null));
    if (draft === null) return;
    if (unavailable === null) void act(draft);
    else showToast({ title: unavailable });
  }
  const onModel = (make: (hostId: string, modelId: string) => ActDraft): void =>
    go(({ hostId, modelId }) => (hostId === null || modelId === null ? null : make(hostId, modelId)));
  const onHost = (make: (hostId: string) => ActDraft): void =>
    go(({ hostId }) => (hostId === null ? null : make(hostId)));

  useShortcuts({
    l: () => onModel(loadDraft),
    u: () => onModel(unloadDraft),
    x: () =>
      go(({ hostId, modelId, requestId }) =>
        hostId === null || requestId === null ? null : cancelRequestDraft(hostId, modelId ?? '', requestId),
      ),
    e: () => onHost(unloadAllDraft),
    p: () =>
      onHost((hostId) =>
        hosts.find(({ id }) => id === hostId)?.paused === true ? resumeDraft(hostId) : pauseDraft(hostId),
      ),
    j: () => step(1),
    k: () => step(-1),
  });
  return null;
}

interface Focus {
  readonly hostId: string | null;
  readonly modelId: string | null;
  readonly requestId: string | null;
}

function focused(pageHostId: string | null): Focus {
  const at = document.activeElement;
  const read = (name: string): string | null =>
    at?.closest(`[data-${name}]`)?.getAttribute(`data-${name}`) ?? null;
  return {
    hostId: read('host-id') ?? pageHostId,
    modelId: read('model-id'),
    requestId: read('request-id'),
  };
}

/** Moves the focus to the next thing that can be acted on. */
function step(by: 1 | -1): void {
  const stops = [...document.querySelectorAll<HTMLElement>('main [data-stop]')];
  const at = stops.findIndex((stop) => stop.contains(document.activeElement));
  const next = stops[at < 0 ? (by > 0 ? 0 : stops.length - 1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
