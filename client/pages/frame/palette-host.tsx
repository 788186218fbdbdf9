import { useReadable } from '../../data/cell.ts';
import { deferred } from '../../ui/deferred.tsx';
import type { PaletteProps } from '../palette/palette.tsx';
import { paletteCell } from './palette-state.ts';

const Palette = deferred<PaletteProps>(async () => (await import('../palette/palette.tsx')).Palette, false);

/** Where the palette appears. */
export function PaletteHost() {
  return <Palette open={useReadable(paletteCell)} onClose={() => paletteCell.set(false)} />;
}
