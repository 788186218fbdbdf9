import type { HostTestResult } from '#shared/schemas/host-input.ts';
import { formatTime } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { ListRow, RowList } from '../../ui/list-row.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './test-panel.module.css';
import { testView } from './test-view.ts';

/** A test that was made: of which address, when, and what it found. */
export interface TestRun {
  readonly url: string;
  readonly at: number;
  readonly result: HostTestResult;
}

/** Verdict with its rungs. */
export function TestVerdict({ run }: { readonly run: TestRun }) {
  const view = testView(run.result, run.url);
  return (
    <section className={styles.panel} data-hue={view.hue} aria-label="Result of the test">
      <output className={styles.head}>
        <Glyph name={view.glyph} hue={view.hue} size="header" />
        <div>
          <h2 className={styles.title}>{view.title}</h2>
          <p className={styles.note}>
            {run.result.verdict === 'ok' ? null : <>{run.url} · </>}
            Tested {formatTime(run.at)}. Nothing on the host was changed.
          </p>
        </div>
      </output>
      <RowList>
        {view.rungs.map((rung) => (
          <li key={rung.title}>
            <ListRow
              lead={
                rung.state === 'passed' ? (
                  <Glyph name="succeeded" hue="ready" />
                ) : rung.state === 'failed' ? (
                  <Glyph name={view.glyph} hue={view.hue} />
                ) : (
                  <Glyph name="unknown" hue="off" />
                )
              }
              title={rung.title}
              value={rung.value}
            />
          </li>
        ))}
      </RowList>
    </section>
  );
}

/** The models that were found; nothing where none were. */
export function TestedModels({ run }: { readonly run: TestRun }) {
  const models = run.result.models ?? [];
  if (models.length === 0) return null;
  return (
    <Panel title="Models" note={models.length}>
      <ul className={styles.models}>
        {models.slice(0, 12).map((model) => (
          <li key={model}>{model}</li>
        ))}
        {models.length > 12 ? <li className={styles.rest}>{models.length - 12} more</li> : null}
      </ul>
    </Panel>
  );
}
