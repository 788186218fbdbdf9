/** A source as a person reads it: an address of a caller comes with the prefix `ip:`. Empty: unknown. */
export function sourceWords(source: string): string {
  return source === '' ? 'unknown' : source.replace(/^ip:/, '');
}
