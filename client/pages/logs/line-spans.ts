import Anser from 'anser';
import type { MatchRange } from '../../data/logs/search-lines.ts';

/** A piece of a line that looks the same throughout. */
export interface LineSpan {
  /** Where it begins in the plain text. */
  readonly at: number;
  readonly text: string;
  /** One of the eight colours of a terminal; null: the text's own. */
  readonly colour: string | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly underline: boolean;
  readonly isMatch: boolean;
}

/** Bright colours are the same tokens: those are made to be read on their ground. */
const COLOURS = new Set(['red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white', 'black']);

/** Pieces of a line with terminal colours as names, cut where matches begin and end. */
export function lineSpans(text: string, matches: readonly MatchRange[] = []): readonly LineSpan[] {
  const spans: LineSpan[] = [];
  let at = 0;
  for (const piece of styledPieces(text)) {
    const end = at + piece.text.length;
    const inside = matches.flatMap(([from, to]) => [from, to]).filter((edge) => edge > at && edge < end);
    const edges = [...new Set([at, ...inside, end])].sort((a, b) => a - b);
    for (const [index, from] of edges.slice(0, -1).entries()) {
      const to = edges[index + 1] ?? end;
      const isMatch = matches.some(([start, stop]) => start <= from && to <= stop);
      spans.push({ ...piece, at: from, text: piece.text.slice(from - at, to - at), isMatch });
    }
    at = end;
  }
  return spans;
}

function styledPieces(text: string): readonly Omit<LineSpan, 'at' | 'isMatch'>[] {
  if (!text.includes('\u001b')) {
    return text === '' ? [] : [{ text, colour: null, bold: false, dim: false, underline: false }];
  }
  return Anser.ansiToJson(text, { json: true, use_classes: true, remove_empty: true }).map((part) => ({
    text: part.content,
    colour: colourOf(part.fg),
    bold: part.decorations.includes('bold'),
    dim: part.decorations.includes('dim'),
    underline: part.decorations.includes('underline'),
  }));
}

/** `ansi-red`, `ansi-bright-red`; colours of the large palettes keep the text's own. */
function colourOf(name: string | null): string | null {
  const colour = (name ?? '').replace(/^ansi-(?:bright-)?/, '');
  return COLOURS.has(colour) ? colour : null;
}
