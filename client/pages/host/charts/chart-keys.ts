/** What keys can do with charts. */
export interface ChartMoves {
  /** The cursor, by so many moments. */
  readonly step: (by: number) => void;
  readonly zoom: (factor: number) => void;
  /** What is shown, by a share of it. */
  readonly pan: (share: number) => void;
  readonly reset: () => void;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  'Shift+ArrowLeft': -10,
  'Shift+ArrowRight': 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};
const ZOOMS: Readonly<Record<string, number>> = { '+': 0.5, '=': 0.5, '-': 2 };
const PANS: Readonly<Record<string, number>> = { '<': -0.5, '>': 0.5 };

/** Does what a key asks for; false for a key that asks for nothing. */
export function chartKeys({ step, zoom, pan, reset }: ChartMoves): (key: string) => boolean {
  return (key) => {
    const [by, factor, share] = [STEPS[key], ZOOMS[key], PANS[key]];
    if (by !== undefined) step(by);
    else if (factor !== undefined) zoom(factor);
    else if (share !== undefined) pan(share);
    else if (key === '0') reset();
    else return false;
    return true;
  };
}
