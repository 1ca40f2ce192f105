import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { readConfig, SETTINGS } from '../../bootstrap/config.js';

/** Node reads it, before anything of ours runs. */
const OF_NODE = 'UV_THREADPOOL_SIZE';
const all = [...SETTINGS, OF_NODE].sort();

describe('[DEV-02] the settings', () => {
  const example = parseEnv(readFileSync('.env.example', 'utf8').replaceAll(/^# (?=[A-Z0-9_]+=)/gm, ''));

  it('stand in .env.example, each with its default', () => {
    expect(Object.keys(example).sort()).toEqual(all);
    expect(readConfig(example)).toEqual(readConfig({}));
  });

  it('stand in the table of the README, each once', () => {
    const section = /^## Settings$(.*?)^## /ms.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
    const rows = section.split('\n').filter((line) => line.startsWith('| `'));
    // In the first column, and for Google's addresses in the last.
    const names = rows.flatMap((row) => {
      const [, first = '', , last = ''] = row.split('|');
      const named = [first, ...last.matchAll(/`GOOGLE_\w+`/g)].join();
      return [...named.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name as string);
    });
    expect(names.sort()).toEqual(all);
  });
});
