import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = process.cwd();

describe('the lint rules', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'offcut-lint-'));
    cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
    cpSync(join(root, '.oxlint'), join(folder, '.oxlint'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function lint(source: string, file = 'planted.ts'): string[] {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), source);
    const program = join(root, 'node_modules/oxlint/bin/oxlint');
    const args = [program, '--deny-warnings', '--format', 'json', file];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    if (!stdout.trim().startsWith('{')) throw new Error(stdout + stderr);
    return (JSON.parse(stdout) as { diagnostics: { code: string }[] }).diagnostics.map(({ code }) => code);
  }

  it('want the namespace form of zod, which the browser pays less for', () => {
    expect(lint("import { z } from 'zod';\nexport const Name = z.string();\n")).toEqual([
      'offcut(namespace-zod)',
    ]);
    expect(lint("import zod from 'zod';\nexport const Name = zod.string();\n")).toEqual([
      'offcut(namespace-zod)',
    ]);
    expect(lint("import * as z from 'zod';\nexport const Name = z.string();\n")).toEqual([]);
  });

  it('want comments in plain words, subject first', () => {
    const comment = (text: string) => lint(`/** ${text} */\nexport const limit = 3;\n`);
    expect(comment('Nobody is told of it.')).toEqual(['offcut(plain-comments)']);
    expect(comment('Of so many addresses it is known what they asked.')).toEqual(['offcut(plain-comments)']);
    expect(comment('The most attempts. `told` counts too. @param tell receives the number')).toEqual([]);
  });

  it('want private members hidden by `private`', () => {
    const counter = (member: string) => `export class Counter {\n  ${member} = 0;\n}\n`;
    expect(lint(counter('#hits'))).toContain('offcut(private-members)');
    expect(lint(counter('private hits'))).toEqual([]);
  });

  it('want keys of the cache from contracts', () => {
    const literal = "export const pack = { queryKey: ['pack'] };\n";
    const read =
      "export const read = (cache: { getQueryData: (key: string[]) => unknown }) => cache.getQueryData(['pack']);\n";
    for (const source of [literal, read])
      expect(lint(source, 'web/src/packs/planted.ts')).toEqual(['offcut(query-keys-of-contracts)']);
    expect(lint(literal, 'web/src/api/planted.ts')).toEqual([]);
  });

  it('[WEB-460] want each clock of the client named', () => {
    for (const now of ['Date.now()', 'new Date().toISOString()', '[1].map(Date.now)'])
      expect(lint(`export const now = () => ${now};\n`, 'web/src/packs/planted.ts')).toEqual([
        'offcut(named-clock)',
      ]);
    expect(lint('export const day = (iso: string) => new Date(iso);\n', 'web/src/packs/planted.ts')).toEqual(
      [],
    );
  });

  it('want limits of fields from values.ts', () => {
    const screen = (limit: string) => `export const Name = () => <input maxLength={${limit}} />;\n`;
    expect(lint(screen('120'), 'web/src/packs/planted.tsx')).toEqual(['offcut(limits-of-contracts)']);
    expect(lint('export const rule = { minLength: 3 };\n', 'web/src/packs/rule.ts')).toEqual([
      'offcut(limits-of-contracts)',
    ]);
    expect(lint(`const LIMIT = 'a'.length;\n${screen('LIMIT')}`, 'web/src/packs/planted.tsx')).toEqual([]);
  });

  it('want braces around a method that an effect calls: React calls what it returns', () => {
    const effect = (body: string) =>
      `import * as react from 'react';\nconst { useEffect } = react;\nexport const useIt = (panel: Element | null, start: () => () => void) => useEffect(() => ${body}, [panel, start]);\n`;
    expect(lint(effect('panel?.scrollIntoView()'))).toEqual(['offcut(effects-return-cleanups)']);
    expect(lint(effect('document.body.scrollTo(0, 0)'))).toEqual(['offcut(effects-return-cleanups)']);
    expect(lint(effect('{ panel?.scrollIntoView(); }'))).toEqual([]);
    expect(lint(effect('start()'))).toEqual([]);
    expect(lint(effect('() => panel?.remove()'))).toEqual([]);
  });

  it('want a reason for raw SQL: above it, above what it is part of, or where the file begins', () => {
    const unexplained = ['offcut(raw-sql-says-why)'];
    const named = (text: string) => `export class Packs {\n  named() {\n    return ask(${text});\n  }\n}\n`;
    const statement = `'select title from pack'`;
    const before = `import * as db from './db.js';\nconst { ask, prepared } = db;\nexport { prepared };\n`;
    expect(lint(before + named(statement))).toEqual(unexplained);
    expect(lint(before + named('`with p as (select 1) select ${prepared} from p`'))).toEqual(unexplained);
    expect(lint(`${before}/** Raw SQL: it sums up. */\nexport const sum = 1;\n${named(statement)}`)).toEqual(
      unexplained,
    );
    expect(lint(`/** Raw SQL: it sums up. */\n${before}${named(statement)}`)).toEqual([]);
    expect(lint(`${before}/** Packs. Raw SQL: it sums up. */\n${named(statement)}`)).toEqual([]);
    expect(lint(before + named(`// In raw SQL: it sums up.\n${statement}`))).toEqual([]);
    expect(lint(before + named(`prepared('titles', ${statement})`))).toEqual([]);
  });

  it('refuse what is not used and what is not compared strictly', () => {
    expect(
      lint("import { join } from 'node:path';\nexport const same = (a: number) => a == 1;\n").sort(),
    ).toEqual(['eslint(eqeqeq)', 'eslint(no-unused-vars)']);
  });
});

/** Returns for each exception the comment before it, or undefined. */
function exceptionsIn(text: string): (string | undefined)[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line, at) =>
    line.includes('// oxfmt-ignore')
      ? [line === '// oxfmt-ignore' && lines[at - 1]?.startsWith('// ') ? lines[at - 1] : undefined]
      : [],
  );
}

describe('the formatter', () => {
  it('is kept out of a few tables only, each of which says why', () => {
    const folders = ['dist', 'coverage', '.data', 'node_modules', '.git'];
    const files = readdirSync('.')
      .filter((name) => !folders.includes(name) && statSync(name).isDirectory())
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
      )
      .filter(
        (file) =>
          /^(?!.*\/node_modules\/).*[.](ts|tsx|mjs)$/.test(file) && !file.endsWith('lint-rules.spec.ts'),
      );
    const exceptions = files.flatMap((file) =>
      exceptionsIn(readFileSync(file, 'utf8')).map((reason) => ({ file, reason })),
    );
    expect(exceptions.filter(({ reason }) => reason === undefined)).toEqual([]);
    expect(exceptions.length).toBeLessThanOrEqual(20);
    expect(exceptionsIn('const table = [1]; // oxfmt-ignore')).toEqual([undefined]);
  });
});
