import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { compression } from 'vite-plugin-compression2';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';
import { FIRST_LOAD } from './client/build/first-load.ts';
import { scopedClass } from './client/build/scoped-class.ts';
import { startFrame } from './client/build/start-frame.ts';
import { symbolSheets } from './client/build/symbol-sheets.ts';

const collector = process.env['DROVER_DEV_COLLECTOR'] ?? 'http://127.0.0.1:9503';

// Each thread and process that a test starts reads TypeScript: kept, they need no compiler. It is WebAssembly, and threads that
// end while others begin with it have made V8 stop the whole process ("Check failed: jit_page.has_value()").
process.env['NODE_COMPILE_CACHE'] ??= new URL(
  'node_modules/.cache/drover/compiled',
  import.meta.url,
).pathname;

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
);

export default defineConfig({
  root: 'client',
  plugins: [
    react({ compiler: true }),
    symbolSheets(),
    startFrame(),
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
  css: { modules: { generateScopedName: scopedClass } },
  define: { 'import.meta.env.DROVER_VERSION': JSON.stringify(version) },
  worker: { format: 'es' },
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    // A browser that does not know it loads the same a little later.
    modulePreload: { polyfill: false },
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
    // Many tests wait for processes and clocks: on two cores the default of one worker takes twice as long.
    maxWorkers: Math.max(2, availableParallelism() - 1),
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
