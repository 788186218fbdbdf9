import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import type { LogEntry, LogFrame } from '#sync/log-frame.ts';
import { LogBoard, MAX_LINES, type LogLine } from './log-board.ts';
import { logLevel } from './log-level.ts';
import { LogSearch, type SearchView } from './log-search.ts';
import { searchLines, type SearchAnswer, type SearchJob } from './search-lines.ts';

test.each([
  ['[WARN] non-200 response, recording partial metrics: status=500', 'warn'],
  ['[ERROR] failed to start', 'error'],
  ['[INFO] Request 10.0.0.21 "POST /v1/chat/completions HTTP/1.1" 500 101', 'info'],
  ['2026-11-30T12:00:01Z [WARN] peer proxy error', 'warn'],
  ['CUDA error: out of memory', 'error'],
  ['llama_model_load: error loading model: unable to allocate CUDA0 buffer', 'error'],
  ['error: the request exceeds the available context size (8192 tokens)', 'error'],
  ['0.01.234.567 W srv  update_slots: slow', 'warn'],
  ['0.01.234.567 E srv  load: failed', 'error'],
  ['(EngineCore pid=12) ERROR 11-30 12:00:00 [core.py:1] died', 'error'],
  ['INFO:     Started server process [7]', 'info'],
  ['torch.OutOfMemoryError: CUDA out of memory', null],
  ['ValueError: no such model', 'error'],
  ['{"ts":"1","level":"error","msg":"x"}', 'error'],
  // A word in a name or in somebody's prompt is none.
  ['slot launch_slot_: id 0 | task 4 | processing task', null],
  ['loading error-7b.gguf', null],
  ['user: what does [ERROR] mean?', null],
  ['main: loading model warn-3', null],
] as const)('%s is %s', (line, level) => {
  expect(logLevel(line)).toBe(level);
});

test('a hostile line costs little', () => {
  const started = performance.now();
  for (const unit of ['1.2 ', '{"a":"b","', '[12:00] ', 'a_', '(x pid=1) ']) logLevel(unit.repeat(10_000));
  expect(performance.now() - started).toBeLessThan(200);
});

function frame(lines: readonly (string | LogEntry)[], changes: Partial<LogFrame> = {}): LogFrame {
  return {
    hostId: 'marlin',
    modelId: null,
    begins: false,
    state: 'live',
    detail: null,
    at: 1000,
    entries: lines.map((line) =>
      typeof line === 'string' ? { type: 'line', source: 'proxy', at: 1000, text: line } : line,
    ),
    ...changes,
  };
}

const MARLIN = { hostId: 'marlin', modelId: null };
const texts = (lines: readonly LogLine[]): readonly string[] => lines.map((line) => line.plain);

describe('a log board', () => {
  it('appends what comes, and begins anew when the collector does', () => {
    const board = new LogBoard();
    board.add(frame(['a', '\u001b[31mb\u001b[0m'], { begins: true }));
    board.add(frame(['c', { type: 'dropped', source: 'proxy', at: null, count: 7 }]));
    board.publish();
    const { lines, asOf } = board.view(MARLIN).get();
    expect(texts(lines)).toEqual(['a', 'b', 'c', '']);
    expect(lines[3]?.dropped).toBe(7);
    expect(asOf).toBe(1000);
    board.add(frame(['d'], { begins: true, at: 2000 }));
    board.publish();
    expect(texts(board.view(MARLIN).get().lines)).toEqual(['d']);
  });

  it('holds the newest lines of a flood, and the logs opened last', () => {
    const board = new LogBoard();
    for (let round = 0; round < 20; round += 1) {
      board.add(frame(Array.from({ length: 500 }, (_, index) => `${round * 500 + index}`)));
      board.publish();
    }
    const { lines } = board.view(MARLIN).get();
    expect(lines).toHaveLength(MAX_LINES);
    expect(lines.at(-1)?.plain).toBe('9999');
    for (let model = 0; model < 12; model += 1) {
      board.add(frame(['x'], { modelId: `m${model}` }));
      board.publish();
    }
    expect(board.view(MARLIN).get().lines).toEqual([]);
    expect(board.view({ hostId: 'marlin', modelId: 'm11' }).get().lines).toHaveLength(1);
  });
});

it('a log board shows what was kept as it was, until something newer comes', () => {
  const [board, again] = [new LogBoard(), new LogBoard()];
  board.add(
    frame(['\u001b[31ma\u001b[0m', { type: 'dropped', source: 'x', at: null, count: null }], {
      begins: true,
    }),
  );
  board.publish();
  const kept = board.kept(MARLIN);
  if (kept === null) throw new Error('nothing to keep');
  again.restore(MARLIN, kept);
  expect(again.kept(MARLIN)).toEqual(kept);
  expect(again.view(MARLIN).get().state).toBeNull();
  again.add(frame(['b'], { begins: true }));
  again.publish();
  again.restore(MARLIN, kept);
  expect(texts(again.view(MARLIN).get().lines)).toEqual(['b']);
});

describe('a search', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function rig(answers: boolean) {
    const jobs: SearchJob[] = [];
    const views: SearchView[] = [];
    let ended = 0;
    const search = new LogSearch(
      (onAnswer: (answer: SearchAnswer) => void) => ({
        post: (job) => {
          jobs.push(job);
          if (answers) onAnswer({ id: job.id, ranges: searchLines(job.pattern, job.lines) });
        },
        end: () => (ended += 1),
      }),
      (view) => views.push(view),
    );
    const lines = (from: number, to: number): LogLine[] =>
      Array.from({ length: to - from }, (_, index) => {
        const plain = `line ${from + index}`;
        const level = null;
        return { key: from + index, source: 'proxy', at: 1, text: plain, plain, level, dropped: null };
      });
    return { jobs, search, lines, last: () => views.at(-1), ended: () => ended };
  }

  it('looks at each line once and marks where it matches', () => {
    const { jobs, search, lines, last } = rig(true);
    search.setLines(lines(1, 20));
    search.setPattern('E 1[0-9]|nothing');
    expect([...(last()?.ranges.keys() ?? [])]).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
    expect(last()?.ranges.get(10)).toEqual([[3, 7]]);
    search.setLines(lines(1, 22));
    expect(jobs.map((job) => job.lines.length)).toEqual([19, 2]);
    search.setPattern('');
    expect(last()?.state).toBe('off');
  });

  it('ends a pattern that takes too long, and goes on with the next one', () => {
    const { jobs, search, lines, last, ended } = rig(false);
    search.setLines(lines(1, 5));
    search.setPattern('(a+)+$');
    expect(last()?.state).toBe('searching');
    vi.advanceTimersByTime(2_000);
    expect(last()?.state).toBe('too-slow');
    expect(ended()).toBe(1);
    search.setLines(lines(1, 9));
    expect(jobs).toHaveLength(1);
    search.setPattern('b');
    expect(jobs).toHaveLength(2);
  });

  it('says what is wrong with a pattern', () => {
    const { search, last } = rig(true);
    search.setPattern('(a');
    expect(last()).toMatchObject({ state: 'wrong', message: expect.stringContaining('Unterminated group') });
  });
});
