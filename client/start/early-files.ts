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

/** The files the build made of {@link EARLY_MODULES}, with all they import; scripts and style sheets. */
export interface EarlyFiles {
  readonly pages: Readonly<Record<string, readonly string[]>>;
  readonly connection: readonly string[];
}

/** The files a start at `path` needs beside those that the page itself names. */
export function earlyFilesFor(
  path: string,
  isRemembered: boolean,
  { pages, connection }: EarlyFiles,
): readonly string[] {
  const word = path.split('/')[1] ?? '';
  return [...new Set([...(pages[word] ?? []), ...(isRemembered ? [] : connection)])];
}
