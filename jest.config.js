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
  // Kept outside the temporary folder, which each run deletes, so that the next run reuses transformed files.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
};

/** Two environments: `node` for everything behind the API, `web` for components in jsdom. */
export default {
  // Three workers for two cores: a worker waits for its browser or database about half of its time. With its
  // browser it uses less than two gigabytes.
  maxWorkers: Math.max(2, Math.min(Math.ceil(1.5 * availableParallelism()), Math.floor(totalmem() / 2.5e9))),
  // A worker keeps the modules of every test file in memory, so it restarts before that slows it down.
  workerIdleMemoryLimit: '1200MB',
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  // One limit for tests and hooks: it ends a test that hangs, and a slow machine does not reach it.
  testTimeout: 600_000,
  // A worker frees a gigabyte when it exits; half a second is too short for that.
  workerGracefulExitTimeout: 10_000,
  projects: [
    {
      ...shared,
      displayName: 'node',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/test/**/*.spec.ts'],
      testPathIgnorePatterns: ['<rootDir>/test/web/', '/node_modules/'],
      // Node loads the TypeScript, in a module realm that all files of a worker share.
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
