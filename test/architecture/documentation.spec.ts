import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { readConfig } from '../../bootstrap/config.js';
import { PROJECTIONS } from '../../bootstrap/projections.js';
import { generatedDocs, settingGroups } from '../support/generated-docs.js';

const read = (file: string): string => readFileSync(file, 'utf8');
const markdown = readdirSync('.', { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.md') && !/(?:^|\/)(?:node_modules|dist|\.[^/]+)\//.test(file),
);
/** Returns the anchors of headings, as GitHub creates them. */
const anchorsOf = (file: string): Set<string> =>
  new Set(
    [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

describe('[DEV-02] the documentation', () => {
  it.each(Object.keys(generatedDocs()))('has %s as `npm run docs` writes it', (file) => {
    expect(read(file)).toBe(generatedDocs()[file]);
  });

  it('describes every setting, and .env.example has its default', () => {
    const settings = settingGroups().flatMap(([, ofGroup]) => ofGroup);
    expect(settings.filter(({ description }) => description === '')).toEqual([]);
    const example = parseEnv(read('.env.example').replaceAll(/^# (?=[A-Z0-9_]+=)/gm, ''));
    expect(readConfig(example)).toEqual(readConfig({}));
  });

  it('has a README of at most 800 words and no line of more than 600 characters', () => {
    expect(read('README.md').split(/\s+/).length).toBeLessThanOrEqual(800);
    const long = markdown.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, at) => (line.length > 600 ? [`${file}:${at + 1}`] : [])),
    );
    expect(long).toEqual([]);
  });

  it('has no link that leads nowhere', () => {
    const broken = markdown.flatMap((file) =>
      [...read(file).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
        ([link, path = '', anchor]) => {
          const target = path === '' ? file : join(dirname(file), path);
          const leads = existsSync(target) && (!anchor || anchorsOf(target).has(anchor));
          return leads ? [] : [`${file}: ${link}`];
        },
      ),
    );
    expect(broken).toEqual([]);
  });

  it('names each table once, and which of them are projections', () => {
    const page = read('docs/data-model.md');
    const schema = /^export interface DB \{$(.*?)^\}/ms.exec(
      read('adapters/platform/database/schema.ts'),
    )?.[1];
    const tables = [...(schema ?? '').matchAll(/^ {2}"?([\w.]+)"?:/gm)].map(([, name]) => name);
    const entries = page.split('\n').filter((line) => line.startsWith('- `'));
    const named = entries.flatMap((line) =>
      [...line.slice(0, line.indexOf(':')).matchAll(/`([\w.]+)`/g)].map(([, name]) => name),
    );
    expect(named.toSorted()).toEqual(tables.toSorted());
    const marked = entries.filter((line) => line.endsWith('(projection).')).map((line) => line.split('`')[1]);
    expect(marked.toSorted()).toEqual(
      [...new Set(PROJECTIONS.all.flatMap(({ tables }) => tables))].toSorted(),
    );
  });

  it('lists every decision by its title', () => {
    const list = read('docs/decisions/README.md');
    for (const file of readdirSync('docs/decisions').filter((name) => /^\d/.test(name)))
      expect(list).toContain(`[${read(`docs/decisions/${file}`).split('\n')[0]?.slice(2)}](${file})`);
  });

  it.each(['docs/recipes.md', 'docs/architecture.md'])('names only files that exist in %s', (page) => {
    const named = [
      ...read(page).matchAll(
        /`((?:adapters|application|bootstrap|cli|domain|migrations|test|web)\/[\w./-]*)`/g,
      ),
    ].map(([, path]) => path);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !existsSync(path ?? ''))).toEqual([]);
  });
});
