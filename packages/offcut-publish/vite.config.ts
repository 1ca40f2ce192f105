import { defineConfig } from 'vite';

/** One file without imports of packages, so that `npx offcut-publish` fetches nothing else. */
export default defineConfig({
  build: {
    ssr: 'src/program.ts',
    target: 'node22',
    minify: false,
    rolldownOptions: {
      output: { entryFileNames: 'offcut-publish.mjs', banner: '#!/usr/bin/env node' },
    },
  },
});
