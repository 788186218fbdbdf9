import type { Ref } from 'react';
import type { LogLine } from '../../data/logs/log-board.ts';
import type { MatchRange } from '../../data/logs/search-lines.ts';
import { formatTime } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { lineSpans } from './line-spans.ts';
import styles from './log-row.module.css';
import { droppedWords } from './log-view.ts';

interface LogRowProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly index: number;
  readonly line: LogLine;
  /** Its source is said above it: it is another one than that of the line before. */
  readonly hasHead: boolean;
  readonly matches: readonly MatchRange[] | undefined;
  readonly isCurrent: boolean;
  readonly top: number;
}

/** One line: time, level, source, text; or where lines are missing. */
export function LogRow({ ref, index, line, hasHead, matches, isCurrent, top }: LogRowProps) {
  return (
    <div ref={ref} data-index={index} className={styles.place} style={{ transform: `translateY(${top}px)` }}>
      {hasHead ? <div className={styles.head}>{line.source}</div> : null}
      {line.dropped === null ? (
        <div className={styles.row} data-level={line.level ?? 'none'} data-current={isCurrent}>
          <span className={styles.time}>{line.at === null ? '–' : formatTime(line.at)}</span>
          <span className={styles.level}>
            {line.level === 'error' ? <Glyph name="failed" hue="bad" /> : null}
            {line.level === 'warn' ? <Glyph name="needs-confirmation" hue="warn" /> : null}
          </span>
          <span className={styles.source}>{line.source}</span>
          <LineText line={line} matches={matches} />
        </div>
      ) : (
        <div className={styles.dropped}>
          <span className={styles.plate}>
            <Glyph name="gap" hue="warn" />
            {droppedWords(line)}
          </span>
        </div>
      )}
    </div>
  );
}

function LineText({ line, matches }: Pick<LogRowProps, 'line' | 'matches'>) {
  return (
    <span className={styles.text} data-source={line.source}>
      {lineSpans(line.text, matches).map((span) => {
        const { at, colour, bold, dim, underline, isMatch, text } = span;
        const look = {
          'data-colour': colour ?? undefined,
          'data-bold': bold || undefined,
          'data-dim': dim || undefined,
          'data-underline': underline || undefined,
        };
        return isMatch ? (
          <mark key={at} {...look}>
            {text}
          </mark>
        ) : (
          <span key={at} {...look}>
            {text}
          </span>
        );
      })}
    </span>
  );
}
