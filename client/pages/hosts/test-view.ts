import type { HostTestResult, TestVerdict } from '#shared/schemas/host-input.ts';
import type { GlyphName, Hue } from '../../ui/glyph.tsx';

/** One thing that Test looked at, in the order it was reached. */
export interface Rung {
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'none';
  readonly value: string;
}

/** The answer of Test in words. */
export interface TestView {
  readonly title: string;
  readonly glyph: GlyphName;
  readonly hue: Hue;
  readonly rungs: readonly Rung[];
}

const NOT_YET = 'not known yet';
/** Rungs in the order a test climbs them. */
const STEPS = ['reach', 'encryption', 'engine', 'key', 'version', 'other'] as const;
type Step = (typeof STEPS)[number];

/** Which rung a verdict stopped at; null: it got to the top. */
const STOPPED_AT: Readonly<Record<TestVerdict, Step | null>> = {
  ok: null,
  unreachable: 'reach',
  tls: 'encryption',
  asleep: 'engine',
  not_llama_swap: 'engine',
  unauthorized: 'key',
  too_old: 'version',
  self: 'other',
};

const LOOKS: Readonly<Record<TestVerdict, { readonly glyph: GlyphName; readonly hue: Hue }>> = {
  ok: { glyph: 'succeeded', hue: 'ready' },
  unreachable: { glyph: 'down', hue: 'bad' },
  tls: { glyph: 'rejected', hue: 'bad' },
  asleep: { glyph: 'asleep', hue: 'sleep' },
  not_llama_swap: { glyph: 'incompatible', hue: 'odd' },
  unauthorized: { glyph: 'unauthorized', hue: 'key' },
  too_old: { glyph: 'incompatible', hue: 'odd' },
  self: { glyph: 'rejected', hue: 'bad' },
};

/** What Test found at `url`, as a title and the rungs below it. */
export function testView(result: HostTestResult, url: string): TestView {
  const stopped = STOPPED_AT[result.verdict];
  const stopIndex = stopped === null ? STEPS.length : STEPS.indexOf(stopped);
  const host = URL.parse(url)?.hostname ?? url;
  const isPlain = url.toLowerCase().startsWith('http://');
  const values: Readonly<Record<Step, readonly [string, string]>> = {
    reach: [`${host} reached`, timing(result)],
    encryption: [
      'Encryption',
      isPlain ? 'none, plain http: fine inside your own network' : (result.tls ?? 'https, trusted'),
    ],
    engine: ['llama-swap answers', ''],
    key: ['Key', 'accepted'],
    version: [
      'Its version',
      result.version === undefined ? 'not told' : `${result.version}, Drover needs v140`,
    ],
    other: ['Not Drover itself', ''],
  };
  return {
    title: titleWords(result),
    ...LOOKS[result.verdict],
    rungs: STEPS.map((step, index) => {
      const [title, value] = values[step];
      if (index > stopIndex) return { title, state: 'none', value: NOT_YET };
      if (index === stopIndex) return { title, state: 'failed', value: failedValue(result) };
      return { title, state: step === 'encryption' && isPlain ? 'none' : 'passed', value };
    }),
  };
}

/** True when adding makes sense although the test did not pass: the host may come up, wake, or get its key. */
export function mayAddAnyway(verdict: TestVerdict): boolean {
  return ['unreachable', 'tls', 'unauthorized', 'asleep'].includes(verdict);
}

/** Label of the button that adds a host which did not pass. */
export function addAnywayWords(verdict: TestVerdict): string {
  if (verdict === 'unauthorized') return 'Add anyway, as “key refused”';
  return verdict === 'asleep' ? 'Add it asleep' : 'Add anyway, as “down”';
}

function titleWords({ verdict, detail, version, models, gpus }: HostTestResult): string {
  if (verdict !== 'ok') return detail;
  const parts = [version === undefined ? 'llama-swap' : `llama-swap ${version}`];
  if (models !== undefined) parts.push(`${models.length} ${models.length === 1 ? 'model' : 'models'}`);
  if (gpus !== undefined) parts.push(`${gpus.length} ${gpus.length === 1 ? 'GPU' : 'GPUs'}`);
  return `${parts.join(', ')}.`;
}

function failedValue({ verdict, version }: HostTestResult): string {
  switch (verdict) {
    case 'unauthorized':
      return '401';
    case 'too_old':
      return version ?? 'too old';
    case 'asleep':
      return 'asleep, not woken';
    case 'self':
      return 'it is Drover';
    case 'unreachable':
      return 'no answer';
    default:
      return 'no';
  }
}

function timing({ timingsMs }: HostTestResult): string {
  const [first] = Object.values(timingsMs ?? {});
  return first === undefined ? '' : `${Math.round(first)} ms`;
}
