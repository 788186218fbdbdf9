import { sizeWords } from '../size-words.ts';

/** Bytes as text below this length are left alone. */
const LEAST_CHARS = 256;
const DATA_URL = new RegExp(
  String.raw`data:([\w.+-]{1,60}/[\w.+-]{1,60})((?:;[\w.+=-]{1,60}){0,4});base64,[\w+/=-]{${LEAST_CHARS},}`,
  'g',
);
const BARE = /^[\w+/-]{1024,}={0,2}$/;

/** Text whose pictures, sounds and other bytes in base64 are replaced by their type and size. */
export function dropMedia(text: string): string {
  if (text.length < LEAST_CHARS) return text;
  if (BARE.test(text)) return `[base64, ${sizeWords((text.length * 3) / 4)}, not kept]`;
  return text.replace(DATA_URL, (whole: string, type: string, parameters: string) => {
    const start = `data:${type}${parameters};base64,`;
    return `${start}[${sizeWords(((whole.length - start.length) * 3) / 4)}, not kept]`;
  });
}
