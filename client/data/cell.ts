import { useSyncExternalStore } from 'react';

/** A value that can be read now and watched: the bridge from module-level state to React. */
export interface Readable<T> {
  readonly get: () => T;
  readonly subscribe: (listener: () => void) => () => void;
}

/** A {@link Readable} whose owner sets it. */
export interface Cell<T> extends Readable<T> {
  readonly set: (next: T) => void;
}

/** Makes a cell. Setting the identical value tells nobody. */
export function createCell<T>(initial: T): Cell<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** The cell's value, re-rendering when it changes. */
export function useReadable<T>(readable: Readable<T>): T {
  return useSyncExternalStore(readable.subscribe, readable.get);
}
