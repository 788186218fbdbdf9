import { boundedText } from './bounded-text.ts';
import { redactText } from './redact.ts';

// Colours, cursor moves and window titles of a terminal, then whatever control character is left but the tab.
const ESCAPES = new RegExp(
  String.raw`\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])`,
  'g',
);
const CONTROLS = new RegExp(String.raw`[\u0000-\u0008\u000a-\u001f\u007f-\u009f]`, 'g');
const MAX_LINE_LENGTH = 500;

/** One whole log line, fit to be kept: no terminal codes, no secrets, at most 500 characters. */
export function cleanLogLine(line: string, known: readonly string[] = []): string {
  // A line is cut before it is searched, generously: what could only match beyond is dropped anyway.
  const plain = line
    .slice(0, MAX_LINE_LENGTH * 8)
    .replace(ESCAPES, '')
    .replace(CONTROLS, '');
  return boundedText(redactText(plain, known), MAX_LINE_LENGTH);
}
