import type { ComponentType, ReactNode } from 'react';
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import { nextPaint, whenIdle } from './when-idle.ts';

const RETRY_MS = 2000;
/** On a page that is never idle, the next deferred part begins after this. */
const NEXT_WITHIN_MS = 300;

const unloaded: (() => void)[] = [];
let isLoadingAll = false;

/** How the load of a deferred part goes. */
export interface DeferredLoad {
  /** It could not be fetched; it is tried again by itself, or at once by `retry`. */
  readonly hasFailed: boolean;
  /** Fetches it now, whatever else it would wait for. */
  readonly retry: () => void;
}

/** What every deferred component takes beside its own properties. */
export interface Meanwhile {
  /** Shown until the code has come; left out: nothing. It may ask how that goes, by `useDeferredLoad`. */
  readonly meanwhile?: ReactNode;
}

const DeferredLoadContext = createContext<DeferredLoad>({ hasFailed: false, retry: () => undefined });

/** How the load goes that this stands in for; only inside a `meanwhile`. */
export function useDeferredLoad(): DeferredLoad {
  return useContext(DeferredLoadContext);
}

/**
 * A component whose code is no part of the first load. It comes soon after the first paint: with all others
 * (`loadDeferred`), or at once when it is mounted, unless `onMount` is false, as for what stands on every page and shows
 * nothing at first. A load that fails is tried again while something waits for it. The service worker keeps these files
 * like all others.
 */
export function deferred<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  onMount = true,
): (props: Props & Meanwhile) => ReactNode {
  let state: { readonly loaded: ComponentType<Props> | null; readonly hasFailed: boolean } = {
    loaded: null,
    hasFailed: false,
  };
  let isLoading = false;
  const waiting = new Set<() => void>();
  const change = (next: typeof state): void => {
    state = next;
    for (const listener of waiting) listener();
  };
  const begin = (): void => {
    if (state.loaded !== null || isLoading) return;
    isLoading = true;
    void load().then(
      (component) => change({ loaded: component, hasFailed: false }),
      () => {
        isLoading = false;
        change({ loaded: null, hasFailed: true });
        if (waiting.size > 0) setTimeout(begin, RETRY_MS);
      },
    );
  };
  const subscribe = (listener: () => void): (() => void) => {
    waiting.add(listener);
    return () => {
      waiting.delete(listener);
    };
  };
  if (isLoadingAll) whenIdle(begin);
  else unloaded.push(begin);
  return function Deferred(props) {
    const { loaded: Loaded, hasFailed } = useSyncExternalStore(subscribe, () => state);
    useEffect(() => {
      if (onMount) void nextPaint().then(begin);
    }, []);
    if (Loaded !== null) return <Loaded {...props} />;
    if (props.meanwhile === undefined) return null;
    return <DeferredLoadContext value={{ hasFailed, retry: begin }}>{props.meanwhile}</DeferredLoadContext>;
  };
}

/**
 * Loads every deferred part that is known, and from now on each one that becomes known: one after another, so that what a
 * person does meanwhile waits for one of them at most.
 */
export function loadDeferred(): void {
  isLoadingAll = true;
  const begin = unloaded.shift();
  if (begin === undefined) return;
  begin();
  whenIdle(loadDeferred, NEXT_WITHIN_MS);
}
