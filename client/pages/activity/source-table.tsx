import type { SourceSum } from '#shared/schemas/activity.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { sourceWords } from '../frame/source-words.ts';
import { csvText } from './csv.ts';
import { saveText } from '../../ui/save-text.ts';
import { NumberTable } from '../../ui/number-table.tsx';
import styles from './source-table.module.css';

/** See {@link SourceTable}. */
export interface SourceTableProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Null: not counted. */
  readonly sums: readonly SourceSum[] | null;
  /** Why they were not counted; null when they were, or will be. */
  readonly problem: string | null;
  /** Which time the rows are of. */
  readonly timeWords: string;
  /** Shows the requests of one source only. */
  readonly onChoose: (source: string) => void;
}

/** What each source asked for, of the rows that match now. */
export function SourceTable({
  open,
  onClose,
  sums: counted,
  problem,
  timeWords,
  onChoose,
}: SourceTableProps) {
  const sums = counted ?? [];
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="By source"
      actions={
        <Button disabled={sums.length === 0} onClick={() => saveText('drover-sources.csv', sourcesCsv(sums))}>
          <Icon name="download" size="s" />
          CSV
        </Button>
      }
    >
      <p className={styles.note}>{timeWords}</p>
      {sums.length === 0 ? <p>{emptyWords(counted, problem)}</p> : null}
      {sums.length === 0 ? null : (
        <div className={styles.scroller}>
          <NumberTable heads={['Source', 'Requests', 'Failed', 'Tokens in', 'Tokens out']}>
            {sums.map((sum) => (
              <tr key={sum.source}>
                <th scope="row">
                  <button type="button" className={styles.source} onClick={() => onChoose(sum.source)}>
                    {sourceWords(sum.source)}
                  </button>
                  <small className={styles.sure}>{sureWords(sum)}</small>
                </th>
                <td>{formatCount(sum.requests)}</td>
                <td>{formatCount(sum.failed)}</td>
                <td>{formatCount(sum.inputTokens)}</td>
                <td>{formatCount(sum.outputTokens)}</td>
              </tr>
            ))}
          </NumberTable>
        </div>
      )}
    </Dialog>
  );
}

/** Why there is no table: nothing matches, or it is not known what does. */
export function emptyWords(sums: readonly SourceSum[] | null, problem: string | null): string {
  if (sums !== null) return 'No request matches.';
  return problem === null ? 'Not counted yet.' : `The requests could not be counted. ${problem}`;
}

/** How sure the source is: `exact`, `matched`, or how many of each. */
export function sureWords({ exact, matched }: Pick<SourceSum, 'exact' | 'matched'>): string {
  if (matched === 0) return exact === 0 ? '' : 'exact';
  return exact === 0 ? 'matched' : `${formatCount(exact)} exact, ${formatCount(matched)} matched`;
}

/** The table as CSV; unknown is an empty cell. */
export function sourcesCsv(sums: readonly SourceSum[]): string {
  return csvText([
    ['source', 'requests', 'failed', 'input_tokens', 'output_tokens', 'exact', 'matched'],
    ...sums.map(({ source, requests, failed, inputTokens, outputTokens, exact, matched }) => [
      source,
      requests,
      failed,
      inputTokens,
      outputTokens,
      exact,
      matched,
    ]),
  ]);
}
