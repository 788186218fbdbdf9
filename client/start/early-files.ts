/** Modules that `main.tsx` names only by `import()` and that a start needs all the same, by what it needs them for. */
export const EARLY_MODULES = {
  /** A page, by the first word of its address; the fleet has none. */
  pages: {
    '': 'pages/fleet/fleet-page.tsx',
    activity: 'pages/activity/activity-page.tsx',
    logs: 'pages/logs/logs-page.tsx',
    outbox: 'pages/outbox/outbox-page.tsx',
    hosts: 'pages/host/host-page.tsx',
    settings: 'pages/settings/settings-page.tsx',
    pair: 'pages/pair/pair-page.tsx',
  },
  /** A device without a copy has nothing to show before the collector answered. */
  connection: [
    'data/replica/collector-info.ts',
    'data/replica/document-connection.ts',
    'data/replica/live-view.ts',
  ],
} as const;

/** The files the build made of {@link EARLY_MODULES}, with all they import; a number stands for one of `files`. */
export interface EarlyFiles {
  /** Scripts and style sheets, without the folder all are in. */
  readonly files: readonly string[];
  readonly pages: Readonly<Record<string, readonly number[]>>;
  readonly connection: readonly number[];
}

/** Names of the files that a start at `path` needs beside those that the page itself names. */
export function earlyFilesFor(
  path: string,
  isRemembered: boolean,
  { files, pages, connection }: EarlyFiles,
): readonly string[] {
  const word = path.split('/')[1] ?? '';
  const wanted = new Set([...(pages[word] ?? []), ...(isRemembered ? [] : connection)]);
  return files.filter((_, index) => wanted.has(index));
}
