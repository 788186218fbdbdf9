import type { ComponentType, ReactNode } from 'react';
import { useEffect, useSyncExternalStore } from 'react';
import { nextPaint, whenIdle } from './when-idle.ts';

const RETRY_MS = 2000;
/** On a page that is never idle, the next deferred part begins after this. */
const NEXT_WITHIN_MS = 300;

const unloaded: (() => void)[] = [];
let isLoadingAll = false;

/** What every deferred component takes beside its own properties. */
export interface Meanwhile {
  /** Shown until the code has come; left out: nothing. */
  readonly meanwhile?: ReactNode;
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
  let loaded: ComponentType<Props> | null = null;
  let isLoading = false;
  const waiting = new Set<() => void>();
  const begin = (): void => {
    if (loaded !== null || isLoading) return;
    isLoading = true;
    void load().then(take, () => {
      isLoading = false;
      if (waiting.size > 0) setTimeout(begin, RETRY_MS);
    });
  };
  const take = (component: ComponentType<Props>): void => {
    loaded = component;
    for (const listener of waiting) listener();
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
    const Loaded = useSyncExternalStore(subscribe, () => loaded);
    useEffect(() => {
      if (onMount) void nextPaint().then(begin);
    }, []);
    return Loaded === null ? props.meanwhile : <Loaded {...props} />;
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
