import { routes } from '#shared/http/routes.ts';
import { checkTitle, checkWord, failedFirst, healthSummary, STATUS_WORDS } from '#shared/lib/health-words.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import { useNow } from '../../data/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { formatStamp, UNKNOWN } from '../../ui/format.ts';
import type { GlyphName, Hue } from '../../ui/glyph.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { HueText } from '../../ui/hue-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useAnswer } from '../frame/use-answer.ts';
import styles from './health-section.module.css';
import { Section } from './section.tsx';

const LOOKS: Readonly<Record<HealthCheck['state'], { readonly glyph: GlyphName; readonly hue: Hue }>> = {
  fail: { glyph: 'failed', hue: 'bad' },
  warn: { glyph: 'needs-confirmation', hue: 'warn' },
  ok: { glyph: 'succeeded', hue: 'ready' },
};

/** What the collector says of itself, failed first, each with what to do. */
export function HealthSection() {
  const { value: health, at, problem, reload } = useAnswer(routes.health);
  const now = useNow(5000);
  const checks = health?.checks ?? [];
  return (
    <Section
      title="Health"
      note={
        health === null || at === null
          ? (problem ?? 'asking the collector')
          : `${problem === null ? 'checked' : `${problem} Last report`} ${formatStamp(at, now)}`
      }
      action={<Button onClick={() => reload()}>Check now</Button>}
    >
      {health === null ? null : (
        <Panel title={STATUS_WORDS[health.status]} note={healthSummary(checks)}>
          {checks.length === 0 ? <p className={styles.empty}>No check was reported.</p> : null}
          <ul>
            {failedFirst(checks).map((check) => (
              <li key={check.name} className={styles.row}>
                <span className={styles.state}>
                  <Glyph name={LOOKS[check.state].glyph} hue={LOOKS[check.state].hue} />
                  <HueText hue={check.state === 'ok' ? 'plain' : LOOKS[check.state].hue}>
                    {checkWord(check)}
                  </HueText>
                </span>
                <strong className={styles.name}>{checkTitle(check)}</strong>
                <span className={styles.detail}>{check.detail}</span>
                <span className={styles.remedy}>{check.remediation ?? UNKNOWN}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <p className={styles.hint}>
        <code>npx drover doctor</code> prints the same on the server. Failures are never shortened.
      </p>
    </Section>
  );
}
