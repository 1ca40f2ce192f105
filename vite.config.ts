import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const PRELOADED_FACES = /(archivo-text|bricolage-grotesque-display)-[\w-]+\.woff2$/;

/** Adds preload links for the two faces of the first paint; their hashed names are known only after the build. */
function preloadFaces(): Plugin {
  return {
    name: 'offcut:preload-faces',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => PRELOADED_FACES.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${file}` },
            injectTo: 'head' as const,
          })),
    },
  };
}

const server = process.env.API_ORIGIN ?? 'http://127.0.0.1:3000';
const proxied = Object.fromEntries(['/api', '/media', '/dev'].map((path) => [path, { target: server }]));

export default defineConfig({
  root: fileURLToPath(new URL('web', import.meta.url)),
  plugins: [react(), tailwindcss(), preloadFaces()],
  server: { port: 5173, proxy: proxied },
  preview: { proxy: proxied },
  build: {
    outDir: fileURLToPath(new URL('dist/web', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    rolldownOptions: {
      treeshake: {
        // Contracts are declarations: a screen that needs one word list must not carry every schema.
        moduleSideEffects: (id) => !/\/(application|domain)\/|\/node_modules\/zod\//.test(id),
      },
    },
  },
});
