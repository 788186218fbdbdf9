import { expect, it } from 'vitest';
import { walkOwnAudit } from '../adapters/sqlite/audit-chain.ts';
import { openStore } from '../adapters/sqlite/open-store.ts';
import { CLI_ACTOR } from '../domain/audit-log.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { silentLog } from '../testing/silent-log.ts';
import { temporaryDirectory } from '../testing/temporary-store.ts';
import { AuditWatch } from './audit-watch.ts';

it('verifies the log at start and every hour, in parts, and says what it found', async () => {
  const clock = new ManualClock();
  const store = openStore(`${temporaryDirectory()}/drover.db`, { now: clock.now() });
  const entry = { at: 1, actor: CLI_ACTOR, action: 'a', target: null, detail: null };
  for (let count = 0; count < 1_200; count += 1) store.audit.append(entry);
  const log = silentLog();
  let steps = 0;
  const watch = new AuditWatch({
    *walk() {
      const walk = walkOwnAudit(store.audit);
      for (;;) {
        steps += 1;
        const step = walk.next();
        if (step.done === true) return step.value;
        yield;
      }
    },
    clock,
    log,
  });
  expect(watch.health()).toMatchObject([{ name: 'audit', detail: 'Its chain is being verified.' }]);
  watch.start();
  await watch.settled();
  expect(steps).toBeGreaterThan(2);
  expect(watch.health()).toMatchObject([{ state: 'ok', detail: 'Chain verified to 1,200, just now.' }]);

  store.connection.exec(`DROP TRIGGER audit_unchanged; UPDATE audit SET action = 'b' WHERE id = 700`);
  clock.advance(59 * 60_000);
  expect(watch.health()).toMatchObject([{ state: 'ok', detail: 'Chain verified to 1,200, 59 min ago.' }]);
  clock.advance(60_000);
  await watch.settled();
  expect(watch.health()).toMatchObject([
    { state: 'fail', detail: expect.stringMatching(/^Record 700 was changed\. 699 records/) },
  ]);
  expect(log.lines).toMatchObject([{ level: 'error', message: 'the audit log is not whole' }]);

  await watch.stop();
  store.close();
});
