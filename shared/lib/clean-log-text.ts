import { boundedText } from './bounded-text.ts';
import { REDACTED, redactText } from './redact.ts';

/** Longest line that is shown. */
const MAX_LINE_LENGTH = 2000;
/** What only moves a cursor, clears a screen or names a window. */
const OTHER_ESCAPES = new RegExp(
  String.raw`\u001b(?:\[[0-?]*[ -/]*[@-ln-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[()*+][0-9A-Za-z]|[@-Z\\^_])`,
  'g',
);
const COLOURS = new RegExp(String.raw`\u001b\[[0-9;]*m`, 'g');
/** The rare form with colons, and an escape that begins nothing: readers of colours differ on them. */
const ODD_ESCAPES = new RegExp(String.raw`\u001b\[[0-9;:]*:[0-9;:]*m|\u001b(?!\[[0-9;]*m)`, 'g');
const CONTROLS = new RegExp(String.raw`[\u0000-\u0008\u000a-\u001a\u001c-\u001f\u007f-\u009f]`, 'g');

/**
 * One whole line of a log, fit to be shown: its colours stay, every other terminal code goes, secrets are replaced. A
 * line that held a secret loses its colours too, since they may stand in the middle of it.
 */
export function cleanLogText(line: string, known: readonly string[] = []): string {
  // A progress bar draws itself again after each carriage return: its last state is what a terminal shows.
  const drawn = line.slice(0, MAX_LINE_LENGTH * 4).replace(/\r+$/, '');
  const last = drawn.slice(drawn.lastIndexOf('\r') + 1);
  const coloured = last.replace(OTHER_ESCAPES, '').replace(ODD_ESCAPES, '').replace(CONTROLS, '');
  const plain = withoutColours(coloured);
  const redacted = redactText(plain, known);
  if (redacted !== plain || plain.includes(REDACTED)) return boundedText(redacted, MAX_LINE_LENGTH);
  return coloured.length <= MAX_LINE_LENGTH ? coloured : boundedText(plain, MAX_LINE_LENGTH);
}

/** The text alone, as it is copied, searched and told apart. */
export function withoutColours(text: string): string {
  return text.includes('\u001b') ? text.replace(COLOURS, '') : text;
}
