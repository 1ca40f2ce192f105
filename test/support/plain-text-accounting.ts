import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from '@jest/globals';

/**
 * Runs if the program is installed. In CI a missing program fails the test, unless TEST_ACCOUNTING=none.
 * On Debian: apt-get install hledger beancount libxml2-utils
 */
export const itWith = (program: 'hledger' | 'bean-check' | 'xmllint'): typeof it.skip =>
  (process.env['CI'] && process.env['TEST_ACCOUNTING'] !== 'none') ||
  spawnSync(program, ['--version']).status === 0
    ? it
    : it.skip;

const run = (program: string, args: string[], input?: string): string =>
  execFileSync(program, args, { input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

/** Returns micro-units or credits: the digits of an amount without its point. */
const whole = (sign: string | undefined, amount: string | undefined): number =>
  Number(`${sign ?? ''}${amount?.replace('.', '') ?? ''}`);

/** Returns the balances that hledger computes, by account, after its strict checks. */
export function addedByHledger(journal: string): Map<string, number> {
  run('hledger', ['-f', '-', 'check', '--strict'], journal);
  const csv = run('hledger', ['-f', '-', 'bal', '--flat', '-N', '-O', 'csv'], journal);
  return new Map(
    [...csv.matchAll(/^"([^"]+)","(-?)([\d.]+) [A-Z]+"$/gm)].map(([, account, sign, amount]) => [
      account as string,
      whole(sign, amount),
    ]),
  );
}

/** Returns the balances that beancount computes, by its account names, after its checks. */
export function addedByBeancount(ledger: string): Map<string, number> {
  const folder = mkdtempSync(join(tmpdir(), 'offcut-beancount-'));
  const file = join(folder, 'journal.beancount');
  try {
    writeFileSync(file, ledger);
    run('bean-check', [file]);
    const csv = run('bean-query', [
      '-q',
      '-f',
      'csv',
      file,
      'select account, sum(position) as sum group by account order by account',
    ]);
    return new Map(
      [...csv.matchAll(/^([\w:-]+) *, *(-?)([\d.]+) +[A-Z]+ *\r?$/gm)].map(([, account, sign, amount]) => [
        account as string,
        whole(sign, amount),
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
