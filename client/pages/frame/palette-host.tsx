import { useEffect } from 'react';
import { useReadable } from '../../data/cell.ts';
import { deferred } from '../../ui/deferred.tsx';
import type { PaletteProps } from '../palette/palette.tsx';
import { paletteCell } from './palette-state.ts';

const Palette = deferred<PaletteProps>(async () => (await import('../palette/palette.tsx')).Palette, false);

/** Where the palette appears, and the keys that open it; these work in fields too. */
export function PaletteHost() {
  const open = useReadable(paletteCell);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || event.altKey || event.ctrlKey === event.metaKey) return;
      event.preventDefault();
      paletteCell.set(!paletteCell.get());
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return <Palette open={open} onClose={() => paletteCell.set(false)} />;
}
