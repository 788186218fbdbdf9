import { describe, expect, test } from 'vitest';
import { testVerdict } from '#shared/schemas/host-input.ts';
import { testView } from './test-view.ts';

const url = 'http://tern.lan:8080';

describe('the verdict of Test', () => {
  test('that passed names version, models and GPUs, and every rung is passed or needless', () => {
    const view = testView(
      {
        verdict: 'ok',
        detail: 'd',
        version: 'v250',
        models: ['a', 'b'],
        gpus: ['g'],
        timingsMs: { connect: 3.4 },
      },
      url,
    );
    expect(view.title).toBe('llama-swap v250, 2 models, 1 GPU.');
    expect(view.rungs.map((rung) => rung.state)).toEqual([
      'passed',
      'none',
      'passed',
      'passed',
      'passed',
      'passed',
    ]);
    expect(view.rungs[0]).toEqual({ title: 'tern.lan reached', state: 'passed', value: '3 ms' });
  });

  test.each([
    ['unreachable', 0],
    ['tls', 1],
    ['asleep', 2],
    ['not_llama_swap', 2],
    ['unauthorized', 3],
    ['too_old', 4],
    ['self', 5],
  ] as const)('%s fails at rung %d and claims nothing above it', (verdict, index) => {
    const view = testView({ verdict, detail: 'What happened.' }, 'https://tern.lan');
    expect(view.title).toBe('What happened.');
    expect(view.rungs[index]?.state).toBe('failed');
    for (const rung of view.rungs.slice(0, index)) expect(rung.state).not.toBe('failed');
    for (const rung of view.rungs.slice(index + 1)) expect(rung.value).toBe('not known yet');
  });

  test('every verdict has words', () => {
    for (const verdict of testVerdict.options) {
      expect(testView({ verdict, detail: 'x' }, url).rungs).toHaveLength(6);
    }
  });
});
