import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encodeSegment } from '#sync/segment-codec.ts';
import { realisticSamples } from '#sync/testing/realistic-performance.ts';
import { storedOf } from '../testing/performance-rows.ts';
import { rollUpChunk } from './roll-up-chunk.ts';

const DAY_TICKS = 17_280;

describe('rollUpChunk', () => {
  it('makes at most 20 KB a host and day, gzipped as sealed, with two cards', () => {
    const rollups = rollUpChunk('box', storedOf(realisticSamples({ gpus: 2, ticks: DAY_TICKS })));
    expect(rollups.length).toBeGreaterThanOrEqual(3 * 288);
    expect(gzipSync(encodeSegment('perf-5m', rollups)).byteLength).toBeLessThanOrEqual(20 * 1024);
  });

  it('marks the five minutes in which a card stopped to answer', () => {
    const { system, gpus } = storedOf(realisticSamples({ gpus: 1, ticks: 720 }));
    const dead = gpus.map((card) => ({ ...card, readings: card.readings.slice(0, 200) }));
    const cards = rollUpChunk('box', { system, gpus: dead }).flatMap((row) =>
      row.gpu === null ? [] : [row.sample],
    );
    expect(cards.map(({ stale }) => stale)).toEqual([false, false, false, true]);
  });
});
