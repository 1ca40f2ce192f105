import { expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const sourcesIn = (pattern: string): [string, string][] =>
  globSync(pattern, { exclude: ['**/node_modules/**'] }).map((file) => [file, readFileSync(file, 'utf8')]);
const sourceOf = new Map(
  sourcesIn('{domain,application,adapters,bootstrap,cli,simulators,demo,bench}/**/*.ts'),
);
const webSources = sourcesIn('web/src/**/*.{ts,tsx}');

it('[DEV-667] a class is called Postgres… exactly if its file is', () => {
  const wrong = [...sourceOf].filter(
    ([file, source]) => /^export class Postgres/m.test(source) !== /\/postgres-[\w-]+\.ts$/.test(file),
  );
  expect(wrong.map(([file]) => file)).toEqual([]);
});

/** Importers by file. A file that is loaded only when it is needed counts twice, because it must stay apart. */
const importers = new Map<string, string[]>();
for (const [importer, source] of [...sourceOf, ...webSources])
  for (const [, how, path = ''] of source.matchAll(/(from |import\()'(\.[^']+)\.js'/g)) {
    const file = `${join(dirname(importer), path)}.ts`;
    const times = how === 'from ' ? [importer] : [importer, importer];
    importers.set(file, [...(importers.get(file) ?? []), ...times]);
  }

/** The layer and context of a file. */
const placeOf = (file: string): string => dirname(file).split('/').slice(0, 2).join('/');

it('[DEV-666] no file under 30 lines has a single importer in its context', () => {
  const lonely = [...sourceOf].flatMap(([file, source]) => {
    // Controllers, modules and the entries of threads have files of their own, and modules only compose.
    if (source.split('\n').length > 30 || /parentPort|@Module\(|@Controller\(/.test(source)) return [];
    const [importer = '', ...others] = importers.get(file) ?? [];
    const isOnly = others.length === 0 && placeOf(importer) === placeOf(file);
    return isOnly && !/@Module\(/.test(sourceOf.get(importer) ?? '') ? [`${file} ← ${importer}`] : [];
  });
  expect(lonely).toEqual([]);
});
