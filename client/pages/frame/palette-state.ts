import { useEffect } from 'react';
import { createCell } from '../../data/cell.ts';

/** Whether the palette is open; any page may open it. */
export const paletteCell = createCell(false);

/** Ctrl or ⌘ K opens and closes the palette, in fields too: before its code has come the key is kept for it. */
export function usePaletteKey(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || event.altKey || event.ctrlKey === event.metaKey) return;
      event.preventDefault();
      paletteCell.set(!paletteCell.get());
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
