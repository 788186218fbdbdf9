import { describe, expect, it } from 'vitest';
import { performanceAnswer } from '#shared/schemas/performance.ts';
import { realisticSamples } from '#sync/testing/realistic-performance.ts';
import { decodeSegment } from '#sync/segment-codec.ts';
import { buildTestApp, type TestApp } from '../testing/build-test-app.ts';
import { hostConfig } from '../testing/host-config.ts';
import { storedOf } from '../testing/performance-rows.ts';

const HOUR_MS = 3_600_000;

/** A host with two hours of samples up to now, of which the first was rolled up. */
async function sampledApp() {
  const world = await buildTestApp();
  const { truth, clock, signIn } = world;
  truth.hostStore.insertHost(hostConfig('box'), clock.now());
  const from = clock.now() - 2 * HOUR_MS;
  const rows = realisticSamples({ gpus: 2, ticks: 1440, startAt: from + 500 });
  const stored = storedOf(rows);
  truth.performance.take('box', { ...stored, cursor: { newestAt: clock.now(), counters: null } });
  truth.performance.flush();
  truth.upkeep.rollUp({ hostId: 'box', hour: from / HOUR_MS });
  const cookie = await signIn('viewer');
  const ask = async (query: string) => {
    const reply = await world.app.inject({ url: `/api/performance?${query}`, headers: { cookie } });
    return { status: reply.statusCode, body: reply.json<unknown>() };
  };
  return { ...world, rows, stored, from, cookie, ask };
}

async function answerOf({ ask }: { ask: (query: string) => Promise<{ body: unknown }> }, query: string) {
  return performanceAnswer.parse((await ask(query)).body);
}

describe('GET /api/performance', () => {
  it('gives every sample of a while, as it was taken', async () => {
    const world = await sampledApp();
    const { stored, from } = world;
    const answer = await answerOf(world, `hostId=box&from=${from}&to=${from + HOUR_MS}&step=0`);
    expect(answer.stepMs).toBe(0);
    expect(answer.system).toEqual(stored.system.filter(({ at }) => at < from + HOUR_MS));
    expect(
      answer.gpus.map(({ id, key, samples }) => [id, key === stored.gpus[id ?? 0]?.gpu.key, samples.length]),
    ).toEqual([
      [0, true, 720],
      [1, true, 720],
    ]);
  });

  it('gives stretches, and the same five minutes from rollups and from samples', async () => {
    const world = await sampledApp();
    const range = `hostId=box&from=${world.from}&to=${world.from + 2 * HOUR_MS}`;
    const fives = await answerOf(world, `${range}&step=300000`);
    expect(fives.system).toHaveLength(24);
    expect(fives.gpus.map(({ samples }) => samples.length)).toEqual([24, 24]);
    expect(fives.system.every(({ samples }) => samples === 60)).toBe(true);
    world.truth.upkeep.rollUp({ hostId: 'box', hour: world.from / HOUR_MS + 1 });
    expect(await answerOf(world, `${range}&step=300000`)).toEqual(fives);
    const hours = await answerOf(world, `${range}&step=3600000`);
    expect(hours.system.map(({ samples, cpuPctP95 }) => [samples, cpuPctP95])).toEqual([
      [720, null],
      [720, null],
    ]);
    const minutes = await answerOf(world, `${range}&step=60000`);
    expect(minutes.system).toHaveLength(120);
    expect(minutes.system[0]?.samples).toBe(12);
  });

  it('answers with rollups where the samples were dropped', async () => {
    const world = await sampledApp();
    world.clock.jump(50 * HOUR_MS);
    while (world.truth.upkeep.step());
    const answer = await answerOf(world, `hostId=box&from=${world.from}&to=${world.from + HOUR_MS}&step=0`);
    expect([answer.stepMs, answer.system.length]).toEqual([300_000, 12]);
  });

  it('is empty for a host without samples, and 404 for none', async () => {
    const { ask, truth, clock } = await sampledApp();
    truth.hostStore.insertHost(hostConfig('new'), clock.now());
    expect(await ask('hostId=new')).toEqual({ status: 200, body: { stepMs: 0, system: [], gpus: [] } });
    expect(await ask('hostId=nobody')).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });

  it.each([
    'hostId=box&from=5&to=5',
    'hostId=box&step=-1',
    'hostId=box&from=',
    '',
    'hostId=box&step=7',
    'hostId=box&x=1',
  ])('refuses "%s"', async (query) => {
    const { ask } = await sampledApp();
    expect(await ask(query)).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } });
  });
});

describe('GET /api/performance/day', () => {
  const day = async ({ app }: TestApp, cookie: string, query: string) =>
    app.inject({ url: `/api/performance/day?${query}`, headers: { cookie } });

  it('gives a whole day of samples as a segment', async () => {
    const world = await sampledApp();
    const reply = await day(world, world.cookie, 'hostId=box&day=2026-11-30');
    expect(reply.statusCode).toBe(200);
    expect(reply.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'content-type': 'application/octet-stream',
    });
    expect(decodeSegment(new Uint8Array(reply.rawPayload))).toEqual({
      version: 1,
      kind: 'perf-raw',
      rows: world.rows,
    });
  });

  it('is 404 for a day without samples and refused for what is no day', async () => {
    const world = await sampledApp();
    for (const [query, status] of [
      ['hostId=box&day=2026-11-29', 404],
      ['hostId=nobody&day=2026-11-30', 404],
      ['hostId=box&day=2026-13-30', 400],
      ['hostId=box&day=today', 400],
    ] as const) {
      expect((await day(world, world.cookie, query)).statusCode).toBe(status);
    }
  });
});
