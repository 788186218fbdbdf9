import { createHash } from 'node:crypto';
import { basename, join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * Name of the class `name` of a CSS module, from its file: the same in the style sheets, in the scripts, and in markup
 * that the build writes itself.
 */
export function scopedClass(name: string, file: string): string {
  const path = relative(ROOT, file.split('?')[0] ?? file).replaceAll('\\', '/');
  const hash = createHash('sha256').update(path).digest('base64url').slice(0, 5);
  return `${basename(path, '.module.css')}-${name}-${hash}`;
}
