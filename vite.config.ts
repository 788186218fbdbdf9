import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import type { HtmlTagDescriptor, Plugin } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';

const collector = process.env['DROVER_DEV_COLLECTOR'] ?? 'http://127.0.0.1:9503';

/** Where the first load begins. */
const FIRST = ['client/main.tsx', 'client/pages/fleet/fleet-page.tsx'].map(
  (path) => new URL(path, import.meta.url).pathname,
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

/**
 * What every page needs, in few files instead of one for each set of pages that share something: libraries, which stay
 * the same over most updates, and our own code. What only some need, such as dialogs, stays in files of its own.
 */
const FIRST_LOAD = [
  {
    name: 'libraries',
    test: /node_modules[\\/](?:react|react-dom|scheduler|use-sync-external-store|yjs|lib0|zod|idb|@tanstack[\\/](?:history|react-router|react-store|router-core|store))[\\/]/,
    priority: 2,
  },
  {
    // What is only shared among things that come later is not loaded first.
    debugName: 'shell',
    name: (moduleId: string, graph: ModuleGraph) => {
      firstModules ??= findFirstModules(graph);
      return firstModules.has(moduleId) ? 'shell' : null;
    },
    test: /[\\/](?:client|shared|sync)[\\/]/,
    minShareCount: 3,
    priority: 1,
  },
];

/**
 * Puts the two symbol sheets into the page itself, so that `<use href="#g-ready">` needs no request and no script: state
 * shapes must be there on the first paint of an offline start.
 */
function symbolSheets(): Plugin {
  return {
    name: 'drover:symbol-sheets',
    transformIndexHtml: () =>
      ['glyphs', 'icons'].map((name): HtmlTagDescriptor => {
        const source = readFileSync(new URL(`client/ui/${name}.svg`, import.meta.url), 'utf8');
        const symbols = source.match(/<symbol[^]*<\/symbol>/)?.[0];
        // A sheet that cannot be read would leave every state without its shape.
        if (symbols === undefined) throw new Error(`${name}.svg holds no symbols`);
        return {
          tag: 'svg',
          attrs: { width: '0', height: '0', 'aria-hidden': 'true', class: 'visually-hidden' },
          children: symbols.replaceAll('\n', ''),
          injectTo: 'body-prepend',
        };
      }),
  };
}

/** Code that nearly every start needs and that the entry names only by `import()`: a request later, for nothing. */
const SOON = ['/client/pages/fleet/fleet-page.tsx', '/client/data/replica/collector-info.ts'];

/** Has the browser fetch {@link SOON} beside the entry. */
function preloadSoon(): Plugin {
  return {
    name: 'drover:preload-soon',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const entries = chunks
          .filter(({ isEntry }) => isEntry)
          .flatMap(({ fileName, imports }) => [fileName, ...imports]);
        const wanted = chunks.filter(({ facadeModuleId }) =>
          SOON.some((path) => facadeModuleId?.endsWith(path)),
        );
        const files = new Set(wanted.flatMap(({ fileName, imports }) => [fileName, ...imports]));
        return [...files]
          .filter((file) => !entries.includes(file))
          .map((file): HtmlTagDescriptor => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
          }));
      },
    },
  };
}

export default defineConfig({
  root: 'client',
  plugins: [
    react({ compiler: true }),
    symbolSheets(),
    preloadSoon(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: '.',
      filename: 'service-worker.ts',
      registerType: 'prompt',
      // client/data/register-service-worker.ts registers it: an inline script would break the content security policy.
      injectRegister: false,
      injectManifest: {
        globPatterns: ['**/*.{js,css,html,svg,woff2}', 'icons/icon-192.png'],
        // The server answers the shell at its address, not as a file.
        manifestTransforms: [
          (entries) => ({
            manifest: entries.map((entry) => (entry.url === 'index.html' ? { ...entry, url: '/' } : entry)),
            warnings: [],
          }),
        ],
      },
      manifest: {
        id: '/',
        name: 'Drover',
        short_name: 'Drover',
        description: 'A local-first cockpit for fleets of LLM inference hosts running llama-swap.',
        start_url: '/',
        scope: '/',
        display: 'standalone',
        background_color: '#f4f4f1',
        theme_color: '#f4f4f1',
        categories: ['developer', 'utilities'],
        icons: [
          { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
          { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
          { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
          { src: '/icons/mark.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
        ],
      },
    }),
    // Once, here, and as small as it gets: compressing on the way costs the first page of each start a quarter of a second.
    compression({ algorithms: ['gzip', 'brotliCompress'], include: /\.(?:m?js|css|html|svg|webmanifest)$/ }),
  ],
  // Yjs prints with it, in debugging and on misuse: the whole of it brings a printer for consoles and a DOM library.
  resolve: { alias: { 'lib0/logging': new URL('client/data/lib0-logging.ts', import.meta.url).pathname } },
  worker: { format: 'es' },
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    rolldownOptions: { output: { codeSplitting: { groups: FIRST_LOAD } } },
  },
  // `npm run dev`: the page from Vite, everything else from the collector. The origin must look like the page's own.
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': { target: collector },
      '/sync': { target: collector, ws: true },
    },
  },
  test: {
    root: '.',
    projects: [
      {
        test: {
          name: 'unit',
          root: '.',
          include: ['{shared,sync,server,client}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.soak.test.ts', '**/node_modules/**'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'soak',
          root: '.',
          include: ['server/**/*.soak.test.ts'],
          testTimeout: 1_800_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
