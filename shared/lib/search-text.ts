/**
 * A text as searches compare it, on the collector and on a device: composed and in lower case. What has no special meaning
 * anywhere else has none here either: `%` and `_` are themselves.
 */
export function searchText(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
