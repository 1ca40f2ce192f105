import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin } from 'vite';

const ROOT = fileURLToPath(new URL('web', import.meta.url));
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
            attrs: {
              rel: 'preload',
              as: 'font',
              type: 'font/woff2',
              crossorigin: '',
              href: `/${file}`,
              // Text stands in its fallback until then: the scripts that make the page go first.
              fetchpriority: 'low',
            },
            injectTo: 'head' as const,
          })),
    },
  };
}

const SCREEN = /\/screens\/([\w-]+)\/(?:\1-screen\.tsx|first-queries\.ts)$/;
const HOME_PICTURE = /marble-[\w-]+\.webp$/;

/**
 * Writes `screens.json`: what each screen needs beyond the page's own files, so that the server can name it in the
 * page and nothing waits for a script to ask for another.
 */
function listScreens(): Plugin {
  return {
    name: 'offcut:list-screens',
    apply: 'build',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle);
      const chunks = new Map(files.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
      const withImports = (name: string, found = new Set<string>()): Set<string> => {
        if (found.has(name)) return found;
        found.add(name);
        for (const imported of chunks.get(name)?.imports ?? []) withImports(imported, found);
        return found;
      };
      const entry = [...chunks.values()].find((chunk) => chunk.isEntry);
      const present = entry ? withImports(entry.fileName) : new Set();
      const stylesOf = (files: Iterable<string>) => [
        ...new Set([...files].flatMap((file) => [...(chunks.get(file)?.viteMetadata?.importedCss ?? [])])),
      ];
      const screens: Record<string, string[]> = {};
      for (const [name, chunk] of chunks) {
        const screen = SCREEN.exec(chunk.facadeModuleId ?? '')?.[1];
        if (!screen) continue;
        const files = [...withImports(name)].filter((file) => !present.has(file));
        screens[screen] = [...new Set([...(screens[screen] ?? []), ...files, ...stylesOf(files)])];
      }
      const picture = files.find(({ fileName }) => HOME_PICTURE.test(fileName));
      if (picture) screens.home?.push(picture.fileName);
      this.emitFile({ type: 'asset', fileName: 'screens.json', source: JSON.stringify(screens) });
    },
  };
}

/** Leaves a compressed copy beside every text file, so that the server compresses none of them while people wait. */
function compressAssets(): Plugin {
  return {
    name: 'offcut:compress-assets',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (!/^assets\/.*\.(js|css)$/.test(file.fileName)) continue;
          const source = brotliCompressSync(file.type === 'chunk' ? file.code : file.source);
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source });
        }
      },
    },
  };
}

/** Contracts are declarations: a screen that needs one word list must not carry every schema. */
const DECLARATIONS = {
  moduleSideEffects: (id: string) => !/\/(application|domain)\/|\/node_modules\/zod\//.test(id),
};

/**
 * Builds what the server has of the client, in a folder beside it that is served to nobody: what it knows of pages, and
 * what it draws them with. Each is one file for Node, with everything it needs.
 */
function buildForServer(): Plugin {
  const buildOne = (outDir: string, ssr: string, emptyOutDir = false, external: RegExp[] = []) =>
    build({
      configFile: false,
      root: ROOT,
      logLevel: 'warn',
      publicDir: false,
      plugins: [react()],
      define: { 'process.env.NODE_ENV': '"production"' },
      ssr: { noExternal: true },
      build: {
        ssr,
        minify: true,
        outDir,
        emptyOutDir,
        assetsInlineLimit: 0,
        rolldownOptions: {
          external,
          output: { codeSplitting: false, entryFileNames: '[name].mjs' },
          treeshake: DECLARATIONS,
        },
      },
    });
  return {
    name: 'offcut:for-server',
    apply: 'build',
    async writeBundle({ dir }) {
      await buildOne(`${dir}-server`, 'src/pages-for-server.ts', true, [/^\.\/screens\//]);
      await buildOne(`${dir}-server`, 'src/server-rendering.tsx');
    },
  };
}

// Many screens are made of the same parts. Forty small files would cost a round trip for every six of them.
const FIRST_LIBRARIES =
  /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|react-error-boundary|@tanstack\/(react-query|query-core)|clsx)\//;
// One that must say that the connection is lost cannot wait to be fetched.
const DIALOGS = /\/web\/src\/(ui\/overlays\/(dialog|alert-dialog)|downloads\/download-dialog)\.tsx$/;
// Dialogs and menus stay apart: what they are built on is needed only once one opens. So do charts, which no first
// page has, what forms are made of, and what only the pages of one screen or of the staff share.
const SHARED_SOURCES =
  /\/(web\/src\/(?!ui\/(overlays\/(dialog|menu)|forms\/use-body-form)\.|charts\/|screens\/|staff\/|api\/(finance|admin|approvals)\.)|application\/|domain\/)|\/node_modules\/lucide-react\//;

// What is imported later needs no reminder of what every page has.
const EVERY_PAGE = /\/(index|vendor|shared|rolldown-runtime)-[\w-]+\.(js|css)$/;

// Every list of sounds is made of these, and what somebody signs in with is not.
const SOUND_PARTS =
  /\/web\/src\/(ui\/sound\/(waveform|key-tempo)|player\/(play-button|seekable-waveform)|samples\/(save-button|saved|peaks)|downloads\/(use-download|owned|drag-out|place))\./;

// Packages that name no other build than the one with warnings for developers.
const PRODUCTION_BUILDS = [
  {
    find: /^react-router$/,
    replacement: fileURLToPath(
      new URL('node_modules/react-router/dist/production/index.mjs', import.meta.url),
    ),
  },
  {
    find: /^react-router\/dom$/,
    replacement: fileURLToPath(
      new URL('node_modules/react-router/dist/production/dom-export.mjs', import.meta.url),
    ),
  },
];

const FINANCE_PARTS = /\/web\/src\/(screens\/finance\/(parts\/|micro-money|event-detail)|api\/finance\.)/;

// What the server answers itself; everything else is the client's.
const SERVER_PATHS = '^/(api|media|dev|healthz|readyz|metrics|robots[.]txt|sitemap[.]xml)(/|$|[?])';
const proxied = { [SERVER_PATHS]: { target: process.env.API_ORIGIN ?? 'http://127.0.0.1:3000' } };

export default defineConfig(({ command }) => ({
  root: ROOT,
  resolve: { alias: command === 'build' ? PRODUCTION_BUILDS : [] },
  plugins: [react(), tailwindcss(), preloadFaces(), listScreens(), compressAssets(), buildForServer()],
  server: { port: Number(process.env.CLIENT_PORT ?? 5173), strictPort: true, proxy: proxied },
  preview: { proxy: proxied },
  build: {
    outDir: fileURLToPath(new URL('dist/web', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: {
      // Browsers that know no module preload fetch modules a little later, and need no script for that.
      polyfill: false,
      resolveDependencies: (_file, needed, { hostType }) =>
        hostType === 'js' ? needed.filter((file) => !EVERY_PAGE.test(`/${file}`)) : needed,
    },
    rolldownOptions: {
      optimization: { inlineConst: { mode: 'all' } },
      output: {
        // The first load names every other file: what makes names unique is as short as it can be.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            { name: 'dialog', test: DIALOGS },
            { name: 'vendor', test: FIRST_LIBRARIES },
            { name: 'sounds', test: SOUND_PARTS, minShareCount: 3 },
            { name: 'shared', test: SHARED_SOURCES, minShareCount: 6 },
            { name: 'books', test: FINANCE_PARTS, minShareCount: 2 },
          ],
          includeDependenciesRecursively: false,
        },
      },
      treeshake: DECLARATIONS,
    },
  },
}));
