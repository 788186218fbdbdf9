import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: 'client',
  plugins: [react({ compiler: true })],
  build: { outDir: '../dist/client', emptyOutDir: true, assetsInlineLimit: 0 },
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
