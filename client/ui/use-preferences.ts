import { useSyncExternalStore } from 'react';
import type { Preferences } from './preferences.ts';
import { preferences, watchPreferences } from './preferences.ts';

/** How the app should look and listen on this device. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(watchPreferences, preferences);
}
