import {
  createCssVariablesTheme,
  createHighlighterCore,
  type GrammarState,
  type HighlighterCore,
} from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import json from 'shiki/langs/json.mjs';

/** A stretch of a line in one colour; `kind` is a name of the stylesheet, null the ordinary colour. */
export interface JsonToken {
  readonly text: string;
  readonly kind: string | null;
}

/** Reads lines one block after the other; a block knows what the one before it left open. */
export type TokenReader = (lines: readonly string[]) => readonly (readonly JsonToken[])[];

/** Longer lines stay as they are: they are one text, and finding its end would hold up the page. */
const MAX_LINE_CHARS = 1_000;
const THEME = 'drover';

let highlighter: Promise<HighlighterCore> | null = null;

/**
 * A reader of JSON. Only its grammar is loaded, the engine is JavaScript's own (no WebAssembly, which the page's policy
 * forbids), and colours are names: no style is made.
 */
export async function createTokenReader(): Promise<TokenReader> {
  highlighter ??= createHighlighterCore({
    themes: [createCssVariablesTheme({ name: THEME, variablePrefix: '--json-', fontStyle: false })],
    langs: [json],
    engine: createJavaScriptRegexEngine(),
  });
  const shiki = await highlighter;
  let state: GrammarState | undefined;
  return (lines) => {
    const tokens = shiki.codeToTokensBase(lines.join('\n'), {
      lang: 'json',
      theme: THEME,
      tokenizeMaxLineLength: MAX_LINE_CHARS,
      ...(state === undefined ? {} : { grammarState: state }),
    });
    state = shiki.getLastGrammarState(tokens);
    return tokens.map((line) => line.map(({ content, color }) => ({ text: content, kind: kindOf(color) })));
  };
}

function kindOf(color: string | undefined): string | null {
  return /^var\(--json-token-([a-z-]+)\)$/.exec(color ?? '')?.[1] ?? null;
}
