import { defineConfig } from 'vite';

/** One file without imports of packages, so that `npx offcut-sync` fetches nothing else. */
export default defineConfig({
  build: {
    ssr: 'src/main.ts',
    target: 'node22',
    minify: false,
    rolldownOptions: {
      output: { entryFileNames: 'offcut-sync.mjs', banner: '#!/usr/bin/env node' },
    },
  },
});
