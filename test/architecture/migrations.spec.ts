import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { migrations } from '../../migrations/index.js';

/** Runs on empty databases only. */
const BASELINE = '0147-baseline';
/**
 * Tables that grow with every sale. Building an index on them in a transaction would block writes for
 * minutes.
 */
const LARGE =
  'event|journal_line|purchase_request|owned_sample|credit_line|credit_grant|certificate|receipt|delivery|log_end';

const RULES: [fault: string, pattern: RegExp][] = [
  ['takes something away', /\bdrop (?:table|view|materialized view|column|function)\b/],
  ['gives something another name', /\brename (?:to|column|constraint)\b/],
  ['gives a column another type', /\balter column \S+ (?:set data )?type\b/],
  ['makes rows of the version before impossible', /\bset not null\b/],
  [
    'adds a column that the version before leaves empty',
    /\badd column (?:(?!\bdefault\b|\bgenerated\b)[^,;`])*\bnot null\b(?!(?:[^,;`])*\b(?:default|generated)\b)/,
  ],
];
const BUILDS_LARGE = new RegExp(`\\bcreate (?:unique )?index (?!concurrently)[^;\`]*?\\bon (?:${LARGE})\\b`);

interface Contract {
  /** The migration of the first version that no longer used the removed object. */
  unusedSince: string;
}

/**
 * Returns what in a migration breaks nodes of the previous version.
 * @param contract the export of the file
 */
function faultsOf(name: string, source: string, contract?: Contract): string[] {
  const sql = source
    .toLowerCase()
    .replaceAll(/^\s*--.*$/gm, '')
    .replaceAll(/\s+/g, ' ');
  const large = BUILDS_LARGE.test(sql) ? ['makes an index on a large table in its transaction'] : [];
  const found = RULES.filter(([, pattern]) => pattern.test(sql)).map(([fault]) => fault);
  if (found.length === 0) return large;
  if (!contract) return [...found, ...large];
  const { unusedSince } = contract;
  if (!(unusedSince in migrations) || unusedSince >= name)
    return [`says that a migration before it came with the first version that did without: ${unusedSince}`];
  const isFloor = sql.includes(`update schema_floor set migration = '${unusedSince}'`);
  return isFloor ? large : ['does not put its contract into schema_floor', ...large];
}

describe('[OPS-141] a migration', () => {
  const sources = globSync('migrations/**/0*.ts').map((path) => ({
    name: basename(path, '.ts'),
    source: readFileSync(path, 'utf8'),
  }));

  it('leaves nodes of the version before what they use, or says since when nobody uses it', () => {
    expect(sources.map(({ name }) => name).sort()).toEqual(Object.keys(migrations).sort());
    const faults = sources
      .filter(({ name }) => name > BASELINE)
      .map(({ name, source }) => {
        const known = migrations[name] as { contract?: Contract };
        return [name, faultsOf(name, source, known.contract)];
      })
      .filter(([, found]) => found?.length);
    expect(faults).toEqual([]);
  });

  it.each([
    ['drop table pack', 'takes something away'],
    ['alter table pack drop column title', 'takes something away'],
    ['alter table pack rename column title to name', 'gives something another name'],
    ['alter table pack\n  rename to packs', 'gives something another name'],
    ['alter table pack alter column title type varchar', 'gives a column another type'],
    ['alter table pack alter column title set not null', 'makes rows of the version before impossible'],
    ['alter table pack add column n int not null', 'adds a column that the version before leaves empty'],
    [
      `alter table pack add column a int default 1, add column n int not null check (n > 0)`,
      'adds a column that the version before leaves empty',
    ],
    ['create index of_stream on event (stream)', 'makes an index on a large table in its transaction'],
    ['create unique index once on owned_sample (x)', 'makes an index on a large table in its transaction'],
  ])('that runs "%s" is found', (statement, fault) => {
    expect(faultsOf('0199-new', `sql\`${statement}\``)).toEqual([fault]);
  });

  it.each([
    'create table note (n int not null)',
    'alter table pack add column n int',
    `alter table pack add column n int not null default 0, add column m text not null default ''`,
    'alter table pack add column listed boolean not null generated always as (true) stored',
    'drop index pack_by_size',
    'create index pack_by_n on pack (n)',
  ])('may run "%s"', (statement) => {
    expect(faultsOf('0199-new', `sql\`${statement}\``)).toEqual([]);
  });

  it('may take away what a former version used when the schema keeps that version out', () => {
    const since = BASELINE;
    const drop = 'alter table pack drop column title';
    const floor = `update schema_floor set migration = '${since}'`;
    expect(faultsOf('0199-new', `${drop}; ${floor}`, { unusedSince: since })).toEqual([]);
    expect(faultsOf('0199-new', drop, { unusedSince: since })).toEqual([
      'does not put its contract into schema_floor',
    ]);
    expect(faultsOf('0199-new', `${drop}; ${floor}`, { unusedSince: '0199-new' })).toHaveLength(1);
  });
});
