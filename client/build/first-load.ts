/** Where the first load begins. */
const FIRST = ['client/main.tsx', 'client/pages/fleet/fleet-page.tsx'].map(
  (path) => new URL(`../../${path}`, import.meta.url).pathname,
);

/** What {@link FIRST} import without `import()`, and so on; found once a build. */
let firstModules: ReadonlySet<string> | null = null;

interface ModuleGraph {
  getModuleInfo(moduleId: string): { readonly importedIds: readonly string[] } | null;
}

function findFirstModules(graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set(FIRST);
  for (const moduleId of found) {
    for (const imported of graph.getModuleInfo(moduleId)?.importedIds ?? []) found.add(imported);
  }
  return found;
}

const isFirst = (moduleId: string, graph: ModuleGraph): boolean => {
  firstModules ??= findFirstModules(graph);
  return firstModules.has(moduleId);
};

/**
 * What every page needs, in few files instead of one for each set of pages that share something: libraries, which stay
 * the same over most updates, and our own code. What only some need, such as dialogs, stays in files of its own, and what
 * is only shared among things that come later is not loaded first.
 */
export const FIRST_LOAD = [
  {
    debugName: 'libraries',
    name: (moduleId: string, graph: ModuleGraph) => (isFirst(moduleId, graph) ? 'libraries' : null),
    test: /node_modules[\\/](?:react|react-dom|scheduler|use-sync-external-store|yjs|lib0|zod|idb|@tanstack[\\/](?:history|react-router|react-store|router-core|store))[\\/]/,
    priority: 2,
  },
  {
    debugName: 'shell',
    name: (moduleId: string, graph: ModuleGraph) => (isFirst(moduleId, graph) ? 'shell' : null),
    test: /[\\/](?:client|shared|sync)[\\/]/,
    minShareCount: 3,
    priority: 1,
  },
];
