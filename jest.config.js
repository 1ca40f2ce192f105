import { availableParallelism, totalmem } from 'node:os';

const SWC = {
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'es6' },
  jsc: {
    target: 'es2022',
    experimental: { keepImportAttributes: true },
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
  },
};

const shared = {
  // Temporary folders end with their run; what was transformed once serves the next.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
};

/** Two worlds: `node` for everything behind the API, `web` for components in jsdom. */
export default {
  // Three for two cores: a worker waits for its browser or database about half of its time, and takes with its browser
  // less than two gigabytes.
  maxWorkers: Math.max(2, Math.min(Math.ceil(1.5 * availableParallelism()), Math.floor(totalmem() / 2.5e9))),
  // What a file loads of its own stays in memory: a worker begins anew before that slows it down.
  workerIdleMemoryLimit: '1200MB',
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  testTimeout: 30_000,
  // A worker gives back a gigabyte at its end; half a second is too little for it to end by itself.
  workerGracefulExitTimeout: 10_000,
  projects: [
    {
      ...shared,
      displayName: 'node',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/test/**/*.spec.ts'],
      testPathIgnorePatterns: ['<rootDir>/test/web/', '/node_modules/'],
      // Node loads the TypeScript, in a world that all files of a worker share.
      transform: {},
      runtime: '<rootDir>/test/support/shared-world.mjs',
      globalSetup: '<rootDir>/test/support/global-setup.mjs',
      globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
    },
    {
      ...shared,
      displayName: 'web',
      moduleNameMapper: { ...shared.moduleNameMapper, '\\.css$': '<rootDir>/test/web/support/no-styles.mjs' },
      testEnvironment: 'jsdom',
      testMatch: ['<rootDir>/test/web/**/*.spec.{ts,tsx}'],
      transform: { '^.+\\.tsx?$': ['@swc/jest', SWC] },
      setupFiles: ['<rootDir>/test/web/support/browser.mjs'],
    },
  ],
};
