import { useEffect, useState } from 'react';
import type { JsonToken } from './json-tokens.ts';
import styles from './json-view.module.css';

/** Lines of a block: laid out and drawn only near the view, and coloured in one go. */
const BLOCK_LINES = 80;
/** Past this nothing is coloured: so many elements would cost more than they tell. */
const MAX_COLOURED_BLOCKS = 25;

type Tokens = readonly (readonly JsonToken[])[];

/** Lines of JSON, in colour as soon as there is time for it; plain text until then, and where the colouring fails. */
export function JsonView({ text, label }: { readonly text: string; readonly label: string }) {
  const lines = text.split('\n');
  const blocks = Array.from({ length: Math.ceil(lines.length / BLOCK_LINES) }, (_, block) =>
    lines.slice(block * BLOCK_LINES, (block + 1) * BLOCK_LINES),
  );
  const tokens = useTokens(text, blocks);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so a keyboard has to get there
    <pre className={styles.json} tabIndex={0} aria-label={label}>
      {blocks.map((block, index) => (
        <JsonBlock key={index} lines={block} tokens={tokens[index] ?? null} />
      ))}
    </pre>
  );
}

function JsonBlock({ lines, tokens }: { readonly lines: readonly string[]; readonly tokens: Tokens | null }) {
  return (
    <code className={styles.block}>
      {tokens === null
        ? `${lines.join('\n')}\n`
        : tokens.map((line, row) => (
            <span key={row}>
              {line.map(({ text, kind }, at) =>
                kind === null ? (
                  text
                ) : (
                  <span key={at} data-token={kind}>
                    {text}
                  </span>
                ),
              )}
              {'\n'}
            </span>
          ))}
    </code>
  );
}

/** Colours block by block, between frames, so that a long body never holds up the page. */
function useTokens(text: string, blocks: readonly (readonly string[])[]): readonly Tokens[] {
  const [done, setDone] = useState<{ readonly of: string; readonly tokens: readonly Tokens[] } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    let timer = 0;
    const colour = async (): Promise<void> => {
      const { createTokenReader } = await import('./json-tokens.ts');
      const read = await createTokenReader();
      const tokens: Tokens[] = [];
      const step = (): void => {
        const block = blocks[tokens.length];
        if (!isCurrent || block === undefined || tokens.length >= MAX_COLOURED_BLOCKS) return;
        tokens.push(read(block));
        setDone({ of: text, tokens: [...tokens] });
        timer = window.setTimeout(step);
      };
      step();
    };
    // Without colours it is still what it is.
    colour().catch(() => undefined);
    return () => {
      isCurrent = false;
      window.clearTimeout(timer);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the blocks are the text's
  }, [text]);
  return done?.of === text ? done.tokens : [];
}
