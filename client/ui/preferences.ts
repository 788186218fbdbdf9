/** What this device remembers of how the app should look and listen. Never synced, never sent. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark';
  readonly density: 'comfortable' | 'compact';
  /** Single-key shortcuts; off for people who steer by speech. */
  readonly shortcuts: boolean;
  /** The card about plain http was read and hidden. */
  readonly insecureHidden: boolean;
  /** Cards or table of the fleet page; null: by the number of hosts. */
  readonly fleetLayout: 'cards' | 'table' | null;
}

const STORAGE_KEY = 'drover.preferences';
const DEFAULTS: Preferences = {
  theme: 'system',
  density: 'comfortable',
  shortcuts: true,
  insecureHidden: false,
  fleetLayout: null,
};

let current: Preferences = DEFAULTS;
const listeners = new Set<() => void>();

/** What is set now. */
export function preferences(): Preferences {
  return current;
}

/** Calls `listener` after every change; returns the way to stop. */
export function watchPreferences(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Changes some of them, applies the look and remembers all. */
export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  applyLook(document.documentElement);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(current));
  } catch {
    // A browser that stores nothing still shows the choice until the page is left.
  }
  for (const listener of listeners) listener();
}

/** Reads what was remembered and sets theme and density on the root element. Called before the first render. */
export function loadPreferences(root: HTMLElement): void {
  let text: string | null = null;
  try {
    text = localStorage.getItem(STORAGE_KEY);
  } catch {
    // See setPreferences.
  }
  current = parsePreferences(text);
  applyLook(root);
}

/** Reads stored preferences; anything unknown or of a wrong type falls back to its default. */
export function parsePreferences(text: string | null): Preferences {
  const stored = parseObject(text);
  const oneOf = <T extends string | boolean | null>(name: string, allowed: readonly T[], fallback: T): T =>
    allowed.find((value) => value === stored[name]) ?? fallback;
  return {
    theme: oneOf('theme', ['system', 'light', 'dark'], DEFAULTS.theme),
    density: oneOf('density', ['comfortable', 'compact'], DEFAULTS.density),
    shortcuts: oneOf('shortcuts', [true, false], DEFAULTS.shortcuts),
    insecureHidden: oneOf('insecureHidden', [true, false], DEFAULTS.insecureHidden),
    fleetLayout: oneOf<'cards' | 'table' | null>('fleetLayout', ['cards', 'table'], DEFAULTS.fleetLayout),
  };
}

function parseObject(text: string | null): Record<string, unknown> {
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function applyLook(root: HTMLElement): void {
  if (current.theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = current.theme;
  root.dataset['density'] = current.density;
}
