import { totalsCell } from '../captures/totals-cell.ts';
import { forgetReport } from '../health-report.ts';
import { outboxNameCell } from '../intents/intent-cells.ts';
import { forgetRestoredHistory } from '../restored-history.ts';
import { forgetSavedViews } from '../saved-views.ts';
import { forgetSeenFailures } from '../seen-failures.ts';
import { forgetWishedDays } from '../storage-wishes.ts';
import { writeRemembered } from './remembered.ts';

const forgetters = new Set<() => void>();

/** Has `forget` called too when a copy is forgotten: for what is loaded later than the first page. */
export function onCopyForgotten(forget: () => void): void {
  forgetters.add(forget);
}

/** Forgets what a session left in memory and beside its databases: whoever signs in next reads none of it. */
export function forgetCopy(): void {
  writeRemembered(null);
  forgetSeenFailures();
  forgetRestoredHistory();
  forgetReport();
  forgetWishedDays();
  forgetSavedViews();
  totalsCell.set(null);
  outboxNameCell.set(null);
  for (const forget of forgetters) forget();
}
