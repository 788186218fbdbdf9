import { createCell } from './cell.ts';
import type { Readable } from './cell.ts';

/** A named set of filters, kept on this device. `search` is what the address of the activity page holds. */
export interface SavedView {
  readonly name: string;
  readonly search: Readonly<Record<string, unknown>>;
}

const STORAGE_KEY = 'drover.views';
const MAX_VIEWS = 100;
const MAX_NAME = 60;

const cell = createCell<readonly SavedView[]>(read());

/** The views of this device, by name; other tabs' changes included while somebody watches. */
export const savedViews: Readable<readonly SavedView[]> = {
  get: cell.get,
  subscribe: (listener) => {
    const unsubscribe = cell.subscribe(listener);
    const onStorage = (event: StorageEvent): void => {
      if (event.key === STORAGE_KEY || event.key === null) cell.set(read());
    };
    window.addEventListener('storage', onStorage);
    return () => {
      unsubscribe();
      window.removeEventListener('storage', onStorage);
    };
  },
};

/** Keeps a view; one of the same name gives way. */
export function saveView(view: SavedView): void {
  write([...cell.get().filter(({ name }) => name !== view.name), view]);
}

/** Gives a view another name; one that has it already gives way. */
export function renameView(from: string, to: string): void {
  const view = cell.get().find(({ name }) => name === from);
  if (view) write([...cell.get().filter(({ name }) => name !== from && name !== to), { ...view, name: to }]);
}

/** Takes a view away; the returned function brings it back. */
export function deleteView(name: string): () => void {
  const view = cell.get().find((one) => one.name === name);
  write(cell.get().filter((one) => one.name !== name));
  return () => {
    if (view) saveView(view);
  };
}

/** Forgets all: their names, hosts, sources and texts are not for whoever uses this browser next. */
export function forgetSavedViews(): void {
  write([]);
}

/** Reads what was stored: what is no view is left out. */
export function parseSavedViews(text: string | null): readonly SavedView[] {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  const list: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const views = new Map<string, SavedView>();
  for (const item of list) {
    if (typeof item !== 'object' || item === null || !('name' in item) || !('search' in item)) continue;
    const { name, search } = item;
    if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) continue;
    if (typeof search === 'object' && search !== null) views.set(name, { name, search: { ...search } });
  }
  return [...views.values()].slice(0, MAX_VIEWS);
}

function read(): readonly SavedView[] {
  try {
    return parseSavedViews(localStorage.getItem(STORAGE_KEY));
  } catch {
    return [];
  }
}

function write(views: readonly SavedView[]): void {
  const sorted = views.toSorted((a, b) => a.name.localeCompare(b.name)).slice(0, MAX_VIEWS);
  cell.set(sorted);
  try {
    if (sorted.length === 0) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, JSON.stringify(sorted));
  } catch {
    // A browser that stores nothing still has them until the page is left.
  }
}
