/** The pages' modules, which the router names only by `import()`, by the first word of their addresses; the fleet has none. */
export const PAGE_MODULES = {
  '': 'pages/fleet/fleet-page.tsx',
  activity: 'pages/activity/activity-page.tsx',
  logs: 'pages/logs/logs-page.tsx',
  outbox: 'pages/outbox/outbox-page.tsx',
  hosts: 'pages/host/host-page.tsx',
  settings: 'pages/settings/settings-page.tsx',
  pair: 'pages/pair/pair-page.tsx',
} as const;

/** The files the build made of {@link PAGE_MODULES}, with all they import; a number stands for one of `files`. */
export interface EarlyFiles {
  /** Scripts and style sheets, without the folder all are in. */
  readonly files: readonly string[];
  readonly pages: Readonly<Record<string, readonly number[]>>;
}

/** Names of the files that a start at `path` needs beside those that `index.html` itself names. */
export function earlyFilesFor(path: string, { files, pages }: EarlyFiles): readonly string[] {
  const wanted = pages[path.split('/')[1] ?? ''] ?? [];
  return wanted.flatMap((index) => files[index] ?? []);
}
