/** Where documents of this page's collector are: `ws(s)://host/sync`. */
export function syncUrl(): string {
  return `${location.origin.replace(/^http/, 'ws')}/sync`;
}
