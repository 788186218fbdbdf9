import { readJson } from '#shared/completion/fields.ts';
import { dropMedia } from './drop-media.ts';
import { fitJson, hasTwinKeys, mapJson } from './fit-json.ts';
import type { Redactor } from './redactor.ts';

/** Text of a body without secrets, that fits. */
export interface FittedText {
  readonly text: string;
  /** 0: it is whole. */
  readonly omittedBytes: number;
}

const MARGIN_CHARS = 4096;

/** JSON: its longest strings are cut where it is too long. Null when `text` is none, or its strings are not what is long. */
export function fitJsonText(text: string, maxChars: number, redactor: Redactor): FittedText | null {
  const json = readJson(text);
  if (typeof json !== 'object' || json === null) return null;
  const before = redactor.count;
  try {
    let droppedChars = 0;
    const lighten = (string: string): string => {
      const left = dropMedia(string);
      droppedChars += string.length - left.length;
      return left;
    };
    const fitted = fitJson(mapJson(json, { text: lighten }), maxChars, redactor.json);
    if (fitted === null) return null;
    const omittedBytes = fitted.omittedChars + droppedChars;
    const isWhole = omittedBytes === 0 && redactor.count === before && text.length <= maxChars;
    return {
      text: isWhole && mayStay(text, json, redactor) ? text : JSON.stringify(fitted.value),
      omittedBytes,
    };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Whether JSON in which nothing was found may stay byte for byte: nothing is in its text that reading it does not show. */
function mayStay(text: string, json: unknown, redactor: Redactor): boolean {
  return redactor.isClean(text) && !hasTwinKeys(text, json);
}

/** Any text: its middle is left out where it is too long. */
export function fitPlainText(text: string, maxChars: number, redactor: Redactor): FittedText {
  if (text.length <= maxChars) return { text: redactor.text(text), omittedBytes: 0 };
  const head = Math.floor(maxChars / 2);
  const tail = Math.max(0, maxChars - head - 60);
  const omitted = text.length - head - tail;
  const start = redactor.text(text.slice(0, head + MARGIN_CHARS)).slice(0, head);
  const end = redactor.text(text.slice(text.length - tail - MARGIN_CHARS));
  const joined = `${start}\n…[${omitted} characters left out]…\n${tail === 0 ? '' : end.slice(-tail)}`;
  return { text: joined.toWellFormed(), omittedBytes: omitted };
}

/** An event stream: whole frames of its middle are left out where it is too long, and a comment says so. */
export function fitFrames(text: string, maxChars: number, redactor: Redactor): FittedText {
  if (text.length <= maxChars) return { text: cleanFrames(text, redactor), omittedBytes: 0 };
  const half = Math.floor(Math.max(0, maxChars - 60) / 2);
  const headEnd = frameEndBefore(text, half);
  const tailStart = frameStartAfter(text, text.length - half);
  const omitted = tailStart - headEnd;
  const head = cleanFrames(text.slice(0, headEnd), redactor);
  const tail = cleanFrames(text.slice(tailStart), redactor);
  return { text: `${head}: ${omitted} bytes left out here\n\n${tail}`, omittedBytes: omitted };
}

function frameEndBefore(text: string, limit: number): number {
  const found = Math.max(text.lastIndexOf('\n\n', limit) + 2, text.lastIndexOf('\r\n\r\n', limit) + 4);
  return found >= 4 && found <= limit ? found : 0;
}

function frameStartAfter(text: string, limit: number): number {
  const found = [text.indexOf('\n\n', limit), text.indexOf('\r\n\r\n', limit)].filter(
    (index) => index !== -1,
  );
  if (found.length === 0) return text.length;
  const start = Math.min(...found);
  return start + (text[start] === '\r' ? 4 : 2);
}

/** Frames stay byte for byte as they were but for what has to be taken out of them. */
export function cleanFrames(text: string, redactor: Redactor): string {
  return text.replace(/^(data: ?)?(.+)$/gm, (line: string, field: string | undefined, rest: string) => {
    if (field === undefined) return redactor.text(line);
    const json = readJson(rest);
    if (typeof json !== 'object' || json === null) return field + redactor.text(rest);
    const before = redactor.count;
    try {
      const cleaned = mapJson(json, redactor.json);
      const isSame = redactor.count === before && mayStay(rest, json, redactor);
      return isSame ? line : field + JSON.stringify(cleaned);
    } catch (error) {
      if (error instanceof RangeError) return field + redactor.text(rest);
      throw error;
    }
  });
}
