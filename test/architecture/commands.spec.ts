import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { offcut } from '../../cli/commands.js';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const documents = globSync(['*.md', 'web/*.md', 'docs/**/*.md', '.github/workflows/*.yml']).map((path) =>
  readFileSync(path, 'utf8'),
);

/** Returns what the pattern's group matches in code blocks and between backticks. */
const named = (pattern: RegExp): string[] => {
  const code = documents.flatMap((text) => text.match(/^```sh$.*?^```$|`[^`\n]+`|^\s*- run: .*$/gms) ?? []);
  return code.flatMap((part) => [...part.matchAll(pattern)].map(([, name]) => name as string));
};

describe('[DEV-05] what the documents tell to run', () => {
  it('are scripts of the package', () => {
    const asked = named(/\bnpm (?:run )?(start|test|(?<=run )[\w:]+)/g);
    expect(asked.length).toBeGreaterThan(30);
    expect(asked.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('are commands of the command line', () => {
    const known = new Set(offcut().commands.map((command) => command.name()));
    const asked = named(/(?:offcut --|app offcut|offcut offcut|^`offcut) ([a-z][a-z-]+)\b/gm);
    expect(asked.length).toBeGreaterThan(15);
    expect(asked.filter((name) => !known.has(name))).toEqual([]);
  });

  it('name files that exist', () => {
    const asked = named(/\b((?:bench|test)\/[\w./-]+\.ts|(?:bench|test)\/[a-z-]+\b(?!\/))/g);
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.filter((path) => globSync(`${path}*`).length === 0)).toEqual([]);
  });
});
