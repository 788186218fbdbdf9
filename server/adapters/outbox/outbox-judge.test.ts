import { expect, onTestFinished, test } from 'vitest';
import * as Y from 'yjs';
import { conflictBomb } from '#sync/testing/hostile-updates.ts';
import { turnsDuring } from '../../testing/loop-turns.ts';
import { ThreadOutboxJudge } from './outbox-judge.ts';

const ID = '0199c3a4-7d10-7c55-9b1e-52f0a1c0de77';

function judgeOf(deadlineMs: number): ThreadOutboxJudge {
  const judge = new ThreadOutboxJudge({ deadlineMs });
  onTestFinished(() => judge.stop());
  return judge;
}

function honestUpdate(): Uint8Array {
  const doc = new Y.Doc();
  doc.getMap('intents').set(ID, { v: 1 });
  return Y.encodeStateAsUpdate(doc);
}

test('judges and diffs in a thread', async () => {
  const judge = judgeOf(5000);
  const { verdict } = await judge.judge(null, honestUpdate());
  if (verdict.type !== 'accepted') throw new Error(verdict.type);
  expect(verdict.intents).toEqual([[ID, { v: 1 }]]);
  const diff = await judge.diff(verdict.state, Uint8Array.from([0]));
  const doc = new Y.Doc();
  Y.applyUpdate(doc, diff ?? new Uint8Array());
  expect(doc.getMap('intents').get(ID)).toEqual({ v: 1 });
});

test('a bomb burns past its deadline alone: the main loop is free and others are answered after it', async () => {
  const judge = judgeOf(100);
  await judge.judge(null, honestUpdate());
  const bomb = judge.judge(null, conflictBomb(ID));
  const others = Array.from({ length: 20 }, () => judge.judge(null, honestUpdate()));
  expect(await turnsDuring(bomb)).toBeGreaterThan(10);
  expect((await bomb).verdict).toMatchObject({ type: 'refused', reason: 'deadline' });
  for (const { verdict } of await Promise.all(others)) expect(verdict.type).toBe('accepted');
});
