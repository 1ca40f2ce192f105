import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Argon2PasswordHasher } from '../../adapters/vendors/argon2/argon2.js';
import { CAPACITY } from '../../application/shared/lanes.js';

const hasher = new Argon2PasswordHasher();

/** Returns the number of threads of this process by priority. Linux keeps a priority for each thread. */
function priorities(): Map<number, number> {
  const counts = new Map<number, number>();
  for (const task of readdirSync('/proc/self/task')) {
    // The name of a thread, in brackets, may contain any characters.
    const [, stat = ''] = readFileSync(`/proc/self/task/${task}/stat`, 'utf8').split(/\) (?!.*\) )/);
    const nice = Number(stat.split(' ')[16]);
    counts.set(nice, (counts.get(nice) ?? 0) + 1);
  }
  return counts;
}

let stored: string;

beforeAll(async () => {
  stored = await hasher.hash('a fine pass phrase');
});
afterAll(() => hasher.onApplicationShutdown());

it('[DOOR-37] a password is hashed by threads of their own, which run at a lower priority where the system can', async () => {
  const lower = Math.min(getPriority() + 10, 19);
  const many = Array.from({ length: 4 * CAPACITY.passwords.atOnce }, () => hasher.verify('another', stored));
  expect(new Set(await Promise.all(many))).toEqual(new Set([false]));
  if (process.platform === 'linux')
    expect(priorities().get(lower)).toBeGreaterThanOrEqual(CAPACITY.passwords.atOnce);
  expect(await hasher.verify('a fine pass phrase', stored)).toBe(true);
});

it('[DOOR-37] what cannot be compared is no match for anybody else', async () => {
  await expect(hasher.verify('a fine pass phrase', 'no hash')).rejects.toThrow('was not hashed');
  expect(await hasher.verify('a fine pass phrase', null)).toBe(false);
  expect(await hasher.verify('a fine pass phrase', stored)).toBe(true);
});

it('[DOOR-37] a thread that ends fails its password, and the next one gets a new thread', async () => {
  const cut = hasher.hash('a fine pass phrase');
  await Promise.all([
    expect(cut).rejects.toThrow('the thread that hashes passwords ended'),
    hasher.onApplicationShutdown(),
  ]);
  expect(await hasher.verify('a fine pass phrase', stored)).toBe(true);
});
