import { expect, test } from 'vitest';
import type { Identity } from '../domain/identity.ts';
import { StoreError } from '../domain/store-error.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { silentLog } from '../testing/silent-log.ts';
import { OutboxIntake } from './outbox-intake.ts';

const phone: Identity = { kind: 'device', id: 'dev-phone', label: 'phone', role: 'operator' };
const laptop: Identity = { ...phone, id: 'dev-laptop', label: 'laptop' };
const receipt = { receivedAt: 1, clockOffsetMs: null, floor: 1 };

function records(count: number): [string, unknown][] {
  return Array.from({ length: count }, (_, index) => [`id-${index}`, { epoch: index % 2 }]);
}

/** An intake that notes what reaches the ledger; `fails` throws for some of it. */
function intakeOf(clock: ManualClock, fails: (id: string) => Error | null = () => null) {
  const taken: string[] = [];
  const take = (what: string, id: string): { readonly outcome: 'ignored' } => {
    const error = fails(id);
    if (error) throw error;
    taken.push(`${what} ${id}`);
    return { outcome: 'ignored' };
  };
  const intake = new OutboxIntake({
    intents: {
      receive: (id, _record, _by, { historyRestored }) =>
        take(historyRestored === true ? 'of a lost history' : 'receive', id),
      cancel: (id) => {
        take('cancel', id);
        return { outcome: 'kept' };
      },
    },
    clock,
    log: silentLog(),
  });
  return { intake, taken };
}

/** How often a taker had to rest; turns of the loop come when the machine is slow. */
function restsOf(taking: Iterable<string>): number {
  return [...taking].filter((pause) => pause === 'rest').length;
}

test('[O11] cancels come before intents, and each record says of which history it is', () => {
  const { intake, taken } = intakeOf(new ManualClock());
  const update = { intents: records(2), cancels: [['id-9', {}] as const] };
  expect(restsOf(intake.take(update, receipt, () => phone))).toBe(0);
  expect(taken).toEqual(['cancel id-9', 'of a lost history id-0', 'receive id-1']);
});

test('[S16] an owner who brings more than anybody asks for has to wait, and nobody else does', () => {
  const clock = new ManualClock();
  const { intake, taken } = intakeOf(clock);
  const taking = intake.take({ intents: records(1_200), cancels: [] }, receipt, () => phone);
  const untilRest = (): void => {
    for (let pause = taking.next(); pause.done !== true; pause = taking.next()) {
      if (pause.value === 'rest') return;
    }
  };
  untilRest();
  expect(taken).toHaveLength(1_024);
  expect(restsOf(intake.take({ intents: records(3), cancels: [] }, receipt, () => laptop))).toBe(0);
  expect(taken).toHaveLength(1_027);
  clock.advance(1_000);
  untilRest();
  expect(taken).toHaveLength(1_127);
  clock.advance(1_000);
  untilRest();
  expect(taken).toHaveLength(1_203);
});

test('a fault of ours in one record does not hold up those behind it; a store that takes nothing does', () => {
  const faulty = intakeOf(new ManualClock(), (id) => (id === 'id-0' ? new TypeError('ours') : null));
  const update = { intents: records(2), cancels: [] };
  expect(restsOf(faulty.intake.take(update, receipt, () => phone))).toBe(0);
  expect(faulty.taken).toEqual(['receive id-1']);
  const full = intakeOf(new ManualClock(), () => new StoreError('full'));
  expect(() => [...full.intake.take(update, receipt, () => phone)]).toThrow(StoreError);
});
