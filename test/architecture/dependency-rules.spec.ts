import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = process.cwd();

/** A small tree that keeps all rules. */
const SOUND: Record<string, string> = {
  'domain/shared/decision.ts': 'export type Decision = { accepted: boolean };',
  'domain/catalogue/vocabulary.ts': "export const GENRES = ['Soul'];",
  'domain/publishing/pack.ts':
    "import type { Decision } from '../shared/decision.js';\nimport { GENRES } from '../catalogue/vocabulary.js';\nexport const decide = (): Decision => ({ accepted: GENRES.length > 0 });",
  'domain/shared/file-names.ts': 'export const safeName = String;',
  'packages/sync/src/main.ts':
    "import { parseArgs } from 'node:util';\nimport { safeName } from '../../../domain/shared/file-names.js';\nexport const all = [parseArgs, safeName];",
  'packages/offcut-sync/src/folder.ts':
    "import { safeName } from '../../../domain/shared/file-names.js';\nexport const folder = safeName;",
  'web/src/folder/folder-sync.ts':
    "import { folder } from '../../../packages/offcut-sync/src/folder.js';\nexport const kept = folder;",
  'domain/credits/account.ts': 'export const balance = 0;',
  'application/shared/clock.ts': 'export abstract class Clock {}',
  'application/publishing/contract.ts':
    "import * as z from 'zod';\nimport { GENRES } from '../../domain/catalogue/vocabulary.js';\nexport const Genre = z.enum(GENRES as [string]);",
  'application/publishing/publish-pack.ts':
    "import { Injectable } from '@nestjs/common';\nimport { CommandHandler } from '@nestjs/cqrs';\nimport { randomUUID } from 'node:crypto';\nimport { decide } from '../../domain/publishing/pack.js';\nexport const all = [Injectable, CommandHandler, randomUUID, decide];",
  'adapters/platform/database/database.ts': "import pg from 'pg';\nexport const pool = pg.Pool;",
  'adapters/platform/http/problems.ts': 'export const problems = {};',
  'adapters/vendors/disk/disk.ts': 'export const disk = {};',
  'adapters/vendors/zip/zip.ts': 'export const zip = {};',
  'adapters/credits/credits.ts': 'export const credits = {};',
  'adapters/purchases/owned-samples.ts': 'export const owned = {};',
  'adapters/credits/postgres-credit-batch-store.ts':
    "import { owned } from '../purchases/owned-samples.js';\nexport const batch = owned;",
  'adapters/publishing/own-packs.ts':
    "import { pool } from '../platform/database/database.js';\nexport const packs = pool;",
  'simulators/stripe/server.ts': 'export const simulator = {};',
  'bootstrap/main.ts':
    "import { packs } from '../adapters/publishing/own-packs.js';\nimport { disk } from '../adapters/vendors/disk/disk.js';\nimport { simulator } from '../simulators/stripe/server.js';\nexport const app = [packs, disk, simulator];",
  'web/src/screens/pack/pack.tsx':
    "import type { Genre } from '../../../../application/publishing/contract.js';\nimport { TITLE_MAX_LENGTH } from '../../../../application/publishing/values.js';\nimport { paths } from '../../paths.js';\nexport const Pack = [TITLE_MAX_LENGTH, paths] satisfies unknown[] as (typeof Genre)[];",
  'application/publishing/values.ts': 'export const TITLE_MAX_LENGTH = 120;',
  'web/src/api/bodies.ts':
    "import { Genre } from '../../../application/publishing/contract.js';\nexport const BODIES = [Genre];",
  'web/src/api/check-body.ts': "export const load = () => import('./bodies.js');",
  'application/all-endpoints.ts':
    "import { Genre } from './publishing/contract.js';\nexport const CONTRACTS = [Genre];",
  'web/src/screens/home/home.tsx':
    "import type { CONTRACTS } from '../../../../application/all-endpoints.js';\nexport type Home = typeof CONTRACTS;",

  'web/src/paths.ts': 'export const paths = {};',
  'test/support/names.ts': 'export const names = [];',
};

/** One file per rule, which breaks that rule only. */
const PLANTED: [rule: string, file: string, source: string][] = [
  ['domain-is-pure', 'domain/credits/planted.ts', "import { randomUUID } from 'node:crypto';"],
  ['domain-is-pure', 'domain/credits/planted-nest.ts', "import { Injectable } from '@nestjs/common';"],
  [
    'domain-is-pure',
    'domain/credits/planted-port.ts',
    "import type { Clock } from '../../application/shared/clock.js';",
  ],
  [
    'contexts-meet-in-shared',
    'domain/publishing/planted.ts',
    "import { balance } from '../credits/account.js';",
  ],
  [
    'vocabulary-is-for-publishing',
    'domain/credits/planted-genres.ts',
    "import { GENRES } from '../catalogue/vocabulary.js';",
  ],
  [
    'contexts-have-levels',
    'application/shared/planted.ts',
    "import { all } from '../publishing/publish-pack.js';",
  ],
  [
    'contexts-have-levels',
    'application/credits/planted.ts',
    "import { all } from '../publishing/publish-pack.js';",
  ],
  ['application-names-no-vendor', 'application/publishing/planted.ts', "import pg from 'pg';"],
  [
    'application-names-no-vendor',
    'application/publishing/planted-core.ts',
    "import { NestFactory } from '@nestjs/core';",
  ],
  [
    'application-names-no-vendor',
    'application/publishing/planted-adapter.ts',
    "import { pool } from '../../adapters/platform/database/database.js';",
  ],
  [
    'contexts-meet-in-bootstrap',
    'adapters/publishing/planted.ts',
    "import { credits } from '../credits/credits.js';",
  ],
  [
    'contexts-meet-in-bootstrap',
    'adapters/publishing/planted-vendor.ts',
    "import { disk } from '../vendors/disk/disk.js';",
  ],
  [
    'credits-write-purchases-only',
    'adapters/credits/postgres-credit-batch-store-planted.ts',
    "import { packs } from '../publishing/own-packs.js';",
  ],
  [
    'platform-knows-no-context',
    'adapters/platform/http/planted.ts',
    "import { packs } from '../../publishing/own-packs.js';",
  ],
  ['vendors-know-nobody', 'adapters/vendors/disk/planted.ts', "import { zip } from '../zip/zip.js';"],
  [
    'only-bootstrap-composes',
    'adapters/publishing/planted-root.ts',
    "import { app } from '../../bootstrap/main.js';",
  ],
  [
    'simulators-stand-alone',
    'simulators/stripe/planted.ts',
    "import { GENRES } from '../../domain/catalogue/vocabulary.js';",
  ],
  [
    'web-knows-contracts-only',
    'web/src/planted.ts',
    "import { GENRES } from '../../domain/catalogue/vocabulary.js';",
  ],
  [
    'web-knows-contracts-only',
    'web/src/planted-handler.ts',
    "import { all } from '../../application/publishing/publish-pack.js';",
  ],
  [
    'server-knows-no-screens',
    'adapters/platform/http/planted-screen.ts',
    "import { paths } from '../../../web/src/paths.js';",
  ],
  [
    'screens-never-import-screens',
    'web/src/screens/pack/planted.tsx',
    "import { Home } from '../home/home.js';",
  ],
  [
    'product-needs-no-tests',
    'adapters/platform/http/planted-names.ts',
    "import { names } from '../../../test/support/names.js';",
  ],
  [
    'product-needs-no-tests',
    'adapters/platform/http/planted-package.ts',
    "import { all } from '../../../packages/sync/src/main.js';",
  ],
  [
    'packages-stand-alone',
    'packages/sync/src/planted.ts',
    "import { Clock } from '../../../application/shared/clock.js';",
  ],
  [
    'product-needs-no-tests',
    'web/src/planted-package.ts',
    "import { all } from '../../packages/sync/src/main.js';",
  ],
  [
    'product-needs-no-tests',
    'adapters/platform/http/planted-folder.ts',
    "import { folder } from '../../../packages/offcut-sync/src/folder.js';",
  ],
  [
    'rules-of-folders-need-no-node',
    'packages/offcut-sync/src/disk.ts',
    "import { existsSync } from 'node:fs';\nexport const disk = existsSync;",
  ],
  [
    'web-takes-types-of-contracts',
    'web/src/planted-endpoints.ts',
    "import { CONTRACTS } from '../../application/all-endpoints.js';",
  ],
  [
    'web-takes-types-of-contracts',
    'web/src/planted-schema.ts',
    "import { Genre } from '../../application/publishing/contract.js';",
  ],
  ['bodies-are-fetched', 'web/src/planted-body.ts', "import { BODIES } from './api/bodies.js';"],
  [
    'values-bring-no-schemas',
    'application/planted/values.ts',
    "import { Genre } from '../publishing/contract.js';",
  ],
  ['no-cycles', 'web/src/planted-egg.ts', "import { hen } from './planted-hen.js';\nexport const egg = hen;"],
  ['imports-resolve', 'web/src/planted-nowhere.ts', "import { nothing } from './nowhere.js';"],
];

const HEN = "import { egg } from './planted-egg.js';\nexport const hen = egg;";

interface Violation {
  rule: { name: string };
  from: string;
  to: string;
}

function cruise(folder: string): Promise<Violation[]> {
  const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const folders = [
    'domain',
    'application',
    'adapters',
    'bootstrap',
    'cli',
    'simulators',
    'migrations',
    'demo',
    'packages',
    'web',
    'test',
    'bench',
  ];
  const present = folders.filter((name) => existsSync(join(folder, name)));
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [program, '--output-type', 'json', ...present],
      { cwd: folder, maxBuffer: 256 * 1024 * 1024 },
      (error, stdout, stderr) => {
        // The exit code is the number of violations.
        if (!stdout.startsWith('{')) reject(new Error(stderr || error?.message));
        else resolve((JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations);
      },
    );
  });
}

function write(folder: string, files: Record<string, string>): void {
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${source}\n`);
  }
}

/** `npm test` checks that the project keeps these rules before it runs the tests. */
describe('the dependency rules', () => {
  let folder: string;
  let violations: Violation[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'offcut-architecture-'));
    for (const name of ['.dependency-cruiser.mjs', 'tsconfig.json'])
      cpSync(join(root, name), join(folder, name));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    write(folder, SOUND);
    write(folder, Object.fromEntries(PLANTED.map(([, file, source]) => [file, source])));
    write(folder, { 'web/src/planted-hen.ts': HEN });
    violations = await cruise(folder);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(PLANTED)('%s catches %s', (rule, file) => {
    expect(violations.filter(({ from }) => from === file).map((violation) => violation.rule.name)).toEqual([
      rule,
    ]);
  });

  it('find nothing wrong with what is allowed', () => {
    const planted = new Set(PLANTED.map(([, file]) => file));
    expect(violations.filter(({ from }) => !from.includes('planted') && !planted.has(from))).toEqual([]);
  });

  it('give each context of the application a level', async () => {
    const { LEVELS } = (await import(join(root, '.dependency-cruiser.mjs'))) as { LEVELS: string[] };
    const folders = readdirSync('application', { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(LEVELS.toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
  });

  it('have a planted violation each', async () => {
    const { default: configuration } = (await import(join(root, '.dependency-cruiser.mjs'))) as {
      default: { forbidden: { name: string }[] };
    };
    const planted = new Set(PLANTED.map(([rule]) => rule));
    expect(configuration.forbidden.map(({ name }) => name).filter((name) => !planted.has(name))).toEqual([]);
  });
});
