/**
 * A value as a cell of a CSV line; unknown is empty. Texts come from whoever sent a request: one that a spreadsheet would
 * take for a formula gets an apostrophe before it.
 */
export function csvCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
