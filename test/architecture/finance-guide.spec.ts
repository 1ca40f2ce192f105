import { describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { addFinance } from '../../cli/finance/finance-commands.js';
import { staffPagesOf } from '../../web/src/staff/pages.js';

const guide = readFileSync('docs/finance.md', 'utf8');

describe('[FIN-140] docs/finance.md', () => {
  it('says of each page of Finance what it answers, in the order of the navigation', () => {
    const named = [...guide.matchAll(/^\| \*\*(.+?)\*\* +\|/gm)].map(([, name]) => name);
    expect(named).toEqual(staffPagesOf('finance').map(({ label }) => label));
  });

  it('names no command that the command line does not have', () => {
    const program = new Command();
    addFinance(program);
    const known = program.commands[0]?.commands.map((command) => command.name()) ?? [];
    const rows = guide.split('\n').filter((line) => line.startsWith('| **'));
    const inTable = rows.flatMap((row) => [...(row.split('|')[3] ?? '').matchAll(/`([\w-]+)`/g)]);
    const named = [...guide.matchAll(/offcut finance ([a-z][\w-]+)/g), ...inTable].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(20);
    expect(known).toEqual(expect.arrayContaining([...new Set(named)]));
  });
});
