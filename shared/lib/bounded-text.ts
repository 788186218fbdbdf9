// U+0000 cuts strings in C libraries and shell tools, so it never enters the store.
const NUL = /\0/g;
const REPLACEMENT = '\uFFFD';

/**
 * Text from outside made safe to store: NULs and lone surrogates become U+FFFD, and what is longer than `maxLength`
 * UTF-16 units is cut at a whole character, ending in "…".
 */
export function boundedText(text: string, maxLength: number): string {
  const cut = text.length > maxLength ? `${dropHalfPair(text.slice(0, maxLength - 1))}…` : text;
  return cut.toWellFormed().replace(NUL, REPLACEMENT);
}

function dropHalfPair(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
