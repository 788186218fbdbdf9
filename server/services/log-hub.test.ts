import { expect, it } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { LogViewer } from '../testing/logs-world.ts';
import { LogHub } from './log-hub.ts';

const BOX = { hostId: 'box', modelId: null };

function build() {
  const clock = new ManualClock();
  const hub = new LogHub({ clock, secretsOf: () => [] });
  const say = (...lines: readonly string[]): void =>
    hub.append('box', {
      source: 'upstream',
      text: lines.map((line) => `${line}\n`).join(''),
      isHistory: false,
    });
  const numbered = (from: number, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `line ${from + index}`);
  return { clock, hub, say, numbered };
}

it('[L17] gives the tail in order and in parts, then at most ten frames a second', () => {
  const { clock, hub, say, numbered } = build();
  say(...numbered(0, 3_000));
  const viewer = new LogViewer();
  hub.watch(viewer, BOX);
  clock.advance(1_000);
  expect(viewer.lines).toEqual(numbered(1_000, 2_000));
  expect(viewer.frames.map((frame) => frame.begins)).toEqual([true, false, false, false]);
  const frames = viewer.frames.length;
  for (let step = 0; step < 100; step += 1) {
    say(`now ${step}`);
    clock.advance(10);
  }
  clock.advance(200);
  expect(viewer.frames.length - frames).toBeLessThanOrEqual(11);
  expect(viewer.lines.slice(2_000)).toEqual(Array.from({ length: 100 }, (_, step) => `now ${step}`));
});

it('[L16] tells how the source is, and each time that changes', () => {
  const { clock, hub, say } = build();
  const viewer = new LogViewer();
  hub.setState(BOX, { state: 'live', detail: null });
  hub.watch(viewer, BOX);
  clock.advance(100);
  expect(viewer.frames).toMatchObject([{ begins: true, state: 'live', entries: [] }]);
  hub.setState(BOX, { state: 'failed', detail: '401' });
  hub.setState(BOX, { state: 'failed', detail: '401' });
  clock.advance(500);
  expect(viewer.frames.slice(1)).toMatchObject([{ begins: false, state: 'failed', detail: '401' }]);
  hub.watch(viewer, null);
  say('unheard');
  clock.advance(500);
  expect(viewer.frames).toHaveLength(2);
});

it('forgets what was asked for and never brought a line, and the models nobody looked at longest', () => {
  const { clock, hub } = build();
  const viewer = new LogViewer();
  for (let count = 0; count < 100; count += 1) hub.watch(viewer, { hostId: `none-${count}`, modelId: 'x' });
  hub.watch(viewer, null);
  expect(hub.size).toBe(0);
  for (let count = 0; count < 20; count += 1) {
    const wish = { hostId: 'box', modelId: `m${count}` };
    hub.watch(viewer, wish);
    hub.appendTo(wish, { source: `m${count}`, text: 'a line\n', isHistory: false });
    clock.advance(100);
  }
  hub.watch(viewer, null);
  expect(hub.size).toBeLessThanOrEqual(9);
});
