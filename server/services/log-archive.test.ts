import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import type { KeptLogEntry } from '#shared/schemas/log.ts';
import { StoreError } from '../domain/store-error.ts';
import { LogViewer } from '../testing/logs-world.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { silentLog } from '../testing/silent-log.ts';
import { temporaryStore } from '../testing/temporary-store.ts';
import { LogArchive } from './log-archive.ts';
import { LogHub } from './log-hub.ts';

vi.mock('node:zlib', async (original) => {
  const zlib = await original<typeof import('node:zlib')>();
  return { ...zlib, gzipSync: vi.fn(zlib.gzipSync) };
});

const MB = 1024 * 1024;
const BOX = { hostId: 'box', modelId: null };

function build(budgetBytes: number, store = temporaryStore()) {
  const clock = new ManualClock();
  const hub = new LogHub({ clock, secretsOf: () => ['swordfish'] });
  let failing = false;
  let attempts = 0;
  const archive = new LogArchive({
    hub,
    store: store.logChunks,
    transact: (work) => {
      attempts += 1;
      if (failing) throw new StoreError('full');
      return store.transact(work);
    },
    budgetBytes,
    clock,
    log: silentLog(),
  });
  const say = (lines: readonly string[], hostId = 'box', isHistory = false): void =>
    hub.append(hostId, { source: 'upstream', text: lines.map((line) => `${line}\n`).join(''), isHistory });
  const kept = (hostId = 'box'): readonly KeptLogEntry[] => {
    let cursor: number | undefined;
    const all: KeptLogEntry[] = [];
    do {
      const page = archive.page({ hostId, ...(cursor !== undefined && { cursor }) });
      all.unshift(...page.entries);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return all;
  };
  const texts = (hostId = 'box'): readonly string[] =>
    kept(hostId).flatMap((entry) => (entry.type === 'line' ? [entry.text] : []));
  return {
    archive,
    clock,
    hub,
    store,
    say,
    kept,
    texts,
    attempts: (): number => attempts,
    fail: (now: boolean) => {
      failing = now;
    },
    chunkBytes: (): number => [...store.logChunks.sizes().values()].reduce((sum, bytes) => sum + bytes, 0),
  };
}

const numbered = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `line ${from + index}`);

describe('an archive of logs', () => {
  it('writes nothing while it is off, and keeps nothing of before', () => {
    const on = build(MB);
    on.archive.start(['box']);
    on.say(['one']);
    on.clock.advance(10_000);
    on.archive.stop();
    expect(on.store.logChunks.sizes().size).toBe(1);
    const off = build(0, on.store);
    off.archive.start(['box']);
    off.say(numbered(0, 100));
    off.clock.advance(60_000);
    off.archive.stop();
    expect(off.store.logChunks.sizes().size).toBe(0);
    expect(off.hub.isWatched(BOX)).toBe(false);
    expect(off.archive.page({ hostId: 'box' })).toEqual({ entries: [], nextCursor: null, keptFrom: null });
  });

  it('starts on a full disk while it is off, says what it could not delete, and deletes it later', () => {
    const on = build(MB);
    on.archive.start(['box']);
    on.say(['one']);
    on.clock.advance(10_000);
    on.archive.stop();
    const off = build(0, on.store);
    off.fail(true);
    off.archive.start(['box']);
    expect(off.archive.health()).toEqual([
      expect.objectContaining({
        state: 'warn',
        detail: expect.stringMatching(/cannot be deleted: .*full.*[^.]\.$/),
      }),
    ]);
    // Nobody reads them meanwhile, and a look does not end the attempts.
    expect(off.texts()).toEqual([]);
    off.clock.advance(6_000);
    expect(on.store.logChunks.sizes().size).toBe(1);
    off.fail(false);
    off.clock.advance(6_000);
    expect(on.store.logChunks.sizes().size).toBe(0);
    expect(off.archive.health()).toEqual([]);
  });

  it('has every line on disk within seconds, once and without a secret, and grows one chunk while there is little', () => {
    const { archive, clock, store, say, texts } = build(MB);
    archive.start(['box']);
    for (let second = 0; second < 60; second += 1) {
      say([`second ${second} with swordfish`]);
      clock.advance(1_000);
    }
    clock.advance(6_000);
    // As after kill -9: what another process finds in the rows.
    const seen = store.logChunks.newestBefore('box', { seq: null, at: null });
    expect(seen?.seq).toBe(store.logChunks.oldest('box')?.seq);
    expect(texts()).toEqual(Array.from({ length: 60 }, (_, second) => `second ${second} with [REDACTED]`));
  });

  it('gives pages of whole lines, oldest first, up to a moment', () => {
    const { archive, clock, say, texts } = build(4 * MB);
    archive.start(['box']);
    for (let round = 0; round < 40; round += 1) {
      say(numbered(round * 100, 100));
      clock.advance(1_000);
    }
    const middle = clock.now() - 20_001;
    clock.advance(10_000);
    expect(texts()).toEqual(numbered(0, 4_000));
    const page = archive.page({ hostId: 'box', before: middle });
    expect(page.entries.length).toBeGreaterThanOrEqual(500);
    expect(page.entries.every(({ at }) => at !== null && at <= middle)).toBe(true);
    expect(page.entries.at(-1)).toMatchObject({ text: 'line 1999' });
  });

  it('misses no line of a burst that the tail holds', () => {
    const { archive, clock, say, texts } = build(MB);
    archive.start(['box']);
    say(numbered(0, 1_900));
    clock.advance(10_000);
    expect(texts()).toEqual(numbered(0, 1_900));
  });

  it('holds its budget under a flood, of which the flooding host bears the cost', () => {
    const { archive, clock, say, texts, kept, chunkBytes } = build(100_000);
    archive.start(['box', 'quiet']);
    say(['the only line'], 'quiet');
    const noise = (): string => Math.random().toString(36).repeat(4);
    let most = 0;
    for (let step = 0; step < 120; step += 1) {
      say(Array.from({ length: 500 }, (_, index) => `${step}.${index} ${noise()}`));
      clock.advance(100);
      most = Math.max(most, chunkBytes());
    }
    clock.advance(10_000);
    expect(most).toBeGreaterThan(50_000);
    expect(Math.max(most, chunkBytes())).toBeLessThanOrEqual(100_000);
    expect(texts('quiet')).toEqual(['the only line']);
    // What is there is the newest, without a hole that is not counted.
    const lines = texts().map((text) => text.split(' ')[0]);
    expect(lines.at(-1)).toBe('119.499');
    const missing = kept().reduce(
      (sum, entry) => sum + (entry.type === 'dropped' ? (entry.count ?? 0) : 0),
      0,
    );
    const [step = 0, index = 0] = (lines[0] ?? '').split('.').map(Number);
    expect(lines.length + missing).toBe(120 * 500 - (step * 500 + index));
  });

  it.each([
    ['lowered', 100_000],
    ['taken away', 0],
  ])('a budget that was %s is reached in small steps, while lines go on to be kept', (_, budgetBytes) => {
    const { archive, clock, store, say, texts, chunkBytes } = build(budgetBytes);
    store.transact(() => {
      for (let index = 0; index < 2_000; index += 1)
        store.logChunks.put('box', { seq: null, fromAt: index, toAt: index, data: new Uint8Array(1_000) });
    });
    archive.start(['box']);
    say(['the newest']);
    for (let step = 0; step < 100; step += 1) {
      const before = chunkBytes();
      clock.advance(100);
      expect(before - chunkBytes()).toBeLessThanOrEqual(200_000);
    }
    expect(chunkBytes()).toBeLessThanOrEqual(budgetBytes);
    expect(texts()).toEqual(budgetBytes === 0 ? [] : ['the newest']);
  });

  it('survives a restart: late joiners see the lines of before with their times, and none twice', () => {
    const before = build(MB);
    before.archive.start(['box']);
    before.say([...numbered(0, 50), 'run --api-key abc']);
    before.clock.advance(10_000);
    const { archive, clock, hub, say, texts } = build(MB, before.store);
    archive.start(['box']);
    // The host's own tail: what is known, and what was written while nobody listened.
    say([...numbered(20, 30), 'run --api-key abc', 'while it was down'], 'box', true);
    say(['and now']);
    const viewer = new LogViewer();
    hub.watch(viewer, BOX);
    clock.advance(10_000);
    const expected = [...numbered(0, 50), 'run --api-key [REDACTED]', 'while it was down', 'and now'];
    expect(viewer.lines).toEqual(expected);
    expect(viewer.entries[0]?.at).not.toBeNull();
    expect(texts()).toEqual(expected);
  });

  it('keeps what it could not write, and says so', () => {
    const { archive, clock, say, texts, fail } = build(MB);
    archive.start(['box']);
    fail(true);
    say(['one']);
    clock.advance(6_000);
    expect(archive.health()[0]).toMatchObject({ state: 'warn' });
    say(['two']);
    clock.advance(6_000);
    fail(false);
    clock.advance(6_000);
    expect(archive.health()[0]).toMatchObject({ state: 'ok' });
    expect(texts()).toEqual(['one', 'two']);
  });

  it('asks a full disk every few seconds under a flood, and packs nothing for it', () => {
    const { archive, clock, say, texts, fail, attempts } = build(64 * MB);
    archive.start(['box']);
    fail(true);
    const packing = vi.mocked(gzipSync).mockClear();
    // 3 MB, of which more than a flush waits for at once.
    for (let step = 0; step < 300; step += 1) {
      say(Array.from({ length: 100 }, (_, index) => `${step}.${index} `.padEnd(100, 'x')));
      clock.advance(100);
      if (step % 10 === 0) archive.page({ hostId: 'box' });
    }
    expect(attempts()).toBeLessThanOrEqual(30_000 / 5_000 + 2);
    expect(packing).not.toHaveBeenCalled();
    fail(false);
    clock.advance(6_000);
    expect(texts()).toHaveLength(30_000);
    const chunks = packing.mock.calls.length;
    expect(chunks).toBeGreaterThan(30);
    clock.advance(60_000);
    expect(packing.mock.calls.length).toBe(chunks);
  });

  it('packs a chunk once, however often the store refuses the one after it', () => {
    const { archive, clock, say, texts, store } = build(64 * MB);
    archive.start(['box']);
    const put = vi.spyOn(store.logChunks, 'put');
    // As a disk fills: a few pages still go into the journal, then nothing.
    let room = 0;
    put.mockImplementation(() => {
      room += 1;
      if (room % 3 === 0) throw new StoreError('full');
      return room;
    });
    const packing = vi.mocked(gzipSync).mockClear();
    say(Array.from({ length: 1_900 }, (_, index) => `${index} `.padEnd(200, 'x')));
    clock.advance(60_000);
    expect(packing.mock.calls.length).toBe(3);
    put.mockRestore();
    clock.advance(6_000);
    expect(texts()).toHaveLength(1_900);
  });

  it('forgets what waited of a host that was removed, and goes on with one that is added', () => {
    const { archive, clock, store, say, texts } = build(MB);
    archive.start(['box']);
    say(['of the demo']);
    clock.advance(200);
    store.transact(() => store.logChunks.deleteHost('box'));
    archive.remove('box');
    archive.add('attic');
    say(['up here'], 'attic');
    clock.advance(10_000);
    expect(texts()).toEqual([]);
    expect(texts('attic')).toEqual(['up here']);
  });
});
