import { SERVER_PATHS } from './application/pages/server-paths.js';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin, type Rolldown } from 'vite';

const ROOT = fileURLToPath(new URL('web', import.meta.url));
const PRELOADED_FACES = /(archivo-text|bricolage-grotesque-display)-[\w-]+\.woff2$/;

/** Adds preload links for the two fonts of the first paint. Their hashed names are known only after the build. */
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
              // Until the font arrives, text uses its fallback font, so the page's scripts load first.
              fetchpriority: 'low',
            },
            injectTo: 'head' as const,
          })),
    },
  };
}

/** Returns the files of a build, and finds their imports and styles. */
function filesOf(bundle: Rolldown.OutputBundle) {
  const files = Object.values(bundle);
  const chunks = new Map(files.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
  const withImports = (name: string, found = new Set<string>()): Set<string> => {
    if (found.has(name)) return found;
    found.add(name);
    for (const imported of chunks.get(name)?.imports ?? []) withImports(imported, found);
    return found;
  };
  const entry = [...chunks.values()].find((chunk) => chunk.isEntry);
  const stylesOf = (names: Iterable<string>) => [
    ...new Set([...names].flatMap((name) => [...(chunks.get(name)?.viteMetadata?.importedCss ?? [])])),
  ];
  return {
    files,
    chunks,
    withImports,
    stylesOf,
    first: entry ? withImports(entry.fileName) : new Set<string>(),
  };
}

const SCREEN = /\/screens\/([\w-]+)\/(?:\1-screen\.tsx|first-queries\.ts)$/;
const HOME_PICTURE = /marble-[\w-]+\.webp$/;

/**
 * Writes `screens.json`: the files that each screen needs beyond those of every page. The server names them in the
 * page, so that the browser does not wait for one script to request another.
 */
function listScreens(): Plugin {
  return {
    name: 'offcut:list-screens',
    apply: 'build',
    generateBundle(_options, bundle) {
      const { files, chunks, withImports, stylesOf, first } = filesOf(bundle);
      const screens: Record<string, string[]> = {};
      for (const [name, chunk] of chunks) {
        const screen = SCREEN.exec(chunk.facadeModuleId ?? '')?.[1];
        if (!screen) continue;
        const files = [...withImports(name)].filter((file) => !first.has(file));
        screens[screen] = [...new Set([...(screens[screen] ?? []), ...files, ...stylesOf(files)])];
      }
      const picture = files.find(({ fileName }) => HOME_PICTURE.test(fileName));
      if (picture) screens.home?.push(picture.fileName);
      this.emitFile({ type: 'asset', fileName: 'screens.json', source: JSON.stringify(screens) });
    },
  };
}

/** Writes a compressed copy beside each script and stylesheet, so that no request waits for compression. */
function compressAssets(): Plugin {
  return {
    name: 'offcut:compress-assets',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (!/^assets\/.*\.(m?js|css)$/.test(file.fileName)) continue;
          const source = brotliCompressSync(file.type === 'chunk' ? file.code : file.source);
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source });
        }
      },
    },
  };
}

const NOTICES = new URL('bin/third-party-notices.mjs', import.meta.url).href;

/** Writes the licences of all packages, which every legal page links. */
function listLicences(): Plugin {
  return {
    name: 'offcut:list-licences',
    apply: 'build',
    async generateBundle() {
      const { thirdPartyNotices } = (await import(NOTICES)) as { thirdPartyNotices: () => string };
      this.emitFile({ type: 'asset', fileName: 'third-party-notices.txt', source: thirdPartyNotices() });
    },
  };
}

/** Contracts have no side effects, so a screen that needs one word list does not include every schema. */
const DECLARATIONS = {
  moduleSideEffects: (id: string) => !/\/(application|domain)\/|\/node_modules\/zod\//.test(id),
};

/**
 * Builds what the server needs of the client, in a folder that is not served: the facts about pages, and the
 * renderer. Each is one file for Node, with all its dependencies.
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

/** The parts of the client that work without a connection, besides the first load. */
const OFFLINE_PARTS =
  /\/web\/src\/(screens\/offline\/offline-screen|player\/player-dock|ui\/overlays\/alert-dialog)\.tsx$/;

/**
 * Builds the service worker with a list of the files to cache. The offline page has a hash in its name, so that nodes
 * of different versions never mix page and files.
 */
function buildWorker(): Plugin {
  return {
    name: 'offcut:worker',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const { files, chunks, withImports, stylesOf, first } = filesOf(bundle);
      const parts = [...chunks.values()].filter(({ moduleIds }) =>
        moduleIds.some((id) => OFFLINE_PARTS.test(id)),
      );
      const scripts = new Set([...first, ...parts.flatMap(({ fileName }) => [...withImports(fileName)])]);
      const faces = files.map(({ fileName }) => fileName).filter((name) => PRELOADED_FACES.test(name));
      const names = [...scripts, ...stylesOf(scripts), ...faces].sort();
      const html = await readFile(`${dir}/index.html`);
      const hash = (of: string | Buffer) => createHash('sha256').update(of).digest('base64url').slice(0, 10);
      const page = `/assets/offline-${hash(html)}.html`;
      await writeFile(dir + page, html);
      const unhashed = ['/theme.js', '/favicon.svg'];
      const contents = await Promise.all(unhashed.map((path) => readFile(dir + path)));
      const kept = [...names.map((name) => `/${name}`), ...unhashed];
      const shell = {
        cache: `offcut-shell-${hash([page, ...kept, ...contents].join(' '))}`,
        page,
        files: kept,
      };
      await build({
        configFile: false,
        root: ROOT,
        logLevel: 'warn',
        publicDir: false,
        define: { BUILT_SHELL: JSON.stringify(shell), 'process.env.NODE_ENV': '"production"' },
        build: {
          outDir: dir,
          emptyOutDir: false,
          rolldownOptions: {
            input: `${ROOT}/src/offline/worker.ts`,
            output: { format: 'iife', entryFileNames: 'sw.js', codeSplitting: false },
            treeshake: DECLARATIONS,
          },
        },
      });
    },
  };
}

// Libraries of every page are built into one file. A browser loads only six files at once, so forty would be slow.
const FIRST_LIBRARIES =
  /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|react-error-boundary|@tanstack\/(react-query|query-core)|clsx)\//;
// The dialog that reports a lost connection must already be loaded.
const DIALOGS = /\/web\/src\/(ui\/overlays\/(dialog|alert-dialog)|downloads\/download-dialog)\.tsx$/;
// Our sources that are built into one file, because most pages need them. Left out are dialogs, menus and downloads,
// which load when they are opened, and parts that only some pages need: charts, forms, two icons, and those for
// creators and staff.
const SHARED_SOURCES =
  /\/(web\/src\/(?!downloads\/(deliver|file-link)\.|packs\/pack-card\.|ui\/(tabs|avatar|section|money|overlays\/(dialog|menu)|forms\/(use-body-form|form-dialog|file-picker|unsaved))\.|charts\/|screens\/|staff\/|api\/(finance|admin|approvals|staff-caching|creator|check-body)\.)|application\/(?!pages\/staff-paths|accounts\/values)|domain\/(?!catalogue\/(fit|kind)\.|ledger\/|shared\/micro-usd\.))|\/node_modules\/lucide-react\/(?!dist\/esm\/icons\/(copy|key-round)\.)/;

// Imports at runtime need not preload the files that every page already has.
const EVERY_PAGE = /\/(index|vendor|shared|rolldown-runtime)-[\w-]+\.(js|css)$/;

// The parts of every list of sounds. Home and sign-in pages do not need them.
const SOUND_PARTS =
  /\/web\/src\/(api\/newest-word|ui\/(virtual-rows|sound\/key-tempo)|player\/(play-button|preload|seekable-waveform)|samples\/(save-button|saved|row-height|sample-row|sample-list)|picks\/pick-box|downloads\/(use-download|owned|drag-out|download-cell))\./;

// Packages whose default build contains warnings for developers. Their production build must be named.
const PRODUCTION_BUILDS = [
  { find: /^react-router$/, file: 'index.mjs' },
  { find: /^react-router\/dom$/, file: 'dom-export.mjs' },
].map(({ find, file }) => ({
  find,
  replacement: fileURLToPath(new URL(`node_modules/react-router/dist/production/${file}`, import.meta.url)),
}));

const FINANCE_PARTS =
  /\/(web\/src\/(screens\/finance\/(parts\/|micro-money|event-detail)|api\/finance\.)|domain\/ledger\/)/;

// Paths that the server answers itself. All others belong to the client.
const proxied = { [SERVER_PATHS.source]: { target: process.env.API_ORIGIN ?? 'http://127.0.0.1:3000' } };

export default defineConfig(({ command }) => ({
  root: ROOT,
  resolve: { alias: command === 'build' ? PRODUCTION_BUILDS : [] },
  plugins: [
    react(),
    tailwindcss(),
    preloadFaces(),
    listScreens(),
    listLicences(),
    compressAssets(),
    buildForServer(),
    buildWorker(),
  ],
  server: { port: Number(process.env.CLIENT_PORT ?? 5173), strictPort: true, proxy: proxied },
  preview: { proxy: proxied },
  build: {
    outDir: fileURLToPath(new URL('dist/web', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: {
      // Browsers without module preload fetch modules a little later, which needs no polyfill.
      polyfill: false,
      resolveDependencies: (_file, needed, { hostType }) =>
        hostType === 'js' ? needed.filter((file) => !EVERY_PAGE.test(`/${file}`)) : needed,
    },
    rolldownOptions: {
      optimization: { inlineConst: { mode: 'all' } },
      output: {
        // Hashes in file names are short, because the files that every page loads first contain the names of all
        // other files.
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
