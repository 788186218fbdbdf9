import { useSyncExternalStore } from 'react';

/** Widths at which the frame changes; the same numbers stand in the media queries of the CSS modules. */
export const BREAKPOINTS = {
  /** Rail instead of the bottom bar, dialogs instead of sheets. */
  laptop: '(min-width: 720px)',
  /** Rail with words. */
  wide: '(min-width: 1080px)',
  /** Aside beside the page. */
  aside: '(min-width: 1280px)',
  /** A mouse: rows may be dense. */
  fine: '(min-width: 720px) and (hover: hover) and (pointer: fine)',
} as const;

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => window.matchMedia(query).matches,
  );
}
