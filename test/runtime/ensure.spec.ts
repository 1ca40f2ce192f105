import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Build {
  sources: string[];
  files: string[];
}

const { nodeIsSupported, packagesAreInstalled, fingerprint } = (await import(
  join(process.cwd(), 'bin/ensure.mjs')
)) as {
  nodeIsSupported: (version: string) => boolean;
  packagesAreInstalled: (root: string) => boolean;
  fingerprint: (root: string, build: Build) => string;
};
const { whileLocked } = (await import(join(process.cwd(), 'bin/lock.mjs'))) as {
  whileLocked: <Result>(
    path: string,
    say: (line: string) => void,
    work: () => Promise<Result>,
  ) => Promise<Result>;
};

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'offcut-ensure-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string | object): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
}

describe('before a start', () => {
  it.each([
    ['v20.20.2', false],
    ['v22.18.0', false],
    ['v24.0.0', true],
    ['v25.9.0', false],
    ['v26.1.0', true],
  ])('Node %s is supported: %s', (version, supported) => {
    expect(nodeIsSupported(version)).toBe(supported);
  });

  it('packages are installed when all of the lock file is there, other systems aside', () => {
    const packages = {
      '': { version: '1.0.0' },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/only-elsewhere': { version: '2.0.0', optional: true },
    };
    write('package-lock.json', { packages });
    expect(packagesAreInstalled(root)).toBe(false);

    write('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version: '1.0.0' } } });
    expect(packagesAreInstalled(root)).toBe(true);

    write('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version: '0.9.0' } } });
    expect(packagesAreInstalled(root)).toBe(false);

    write('node_modules/.package-lock.json', '{"packages": {');
    expect(packagesAreInstalled(root)).toBe(false);
  });

  it('sources that were edited, added or removed call for a build, others do not', () => {
    const build = { sources: ['domain', 'absent'], files: ['tsconfig.json'] };
    write('domain/a.ts', 'one');
    write('tsconfig.json', '{}');
    write('README.md', 'words');
    const states = [fingerprint(root, build)];
    const changed = (): boolean => {
      const state = fingerprint(root, build);
      const isNew = !states.includes(state);
      states.push(state);
      return isNew;
    };
    write('README.md', 'other words');
    expect(changed()).toBe(false);
    write('domain/deep/b.ts', 'two');
    expect(changed()).toBe(true);
    write('tsconfig.json', '{ }');
    expect(changed()).toBe(true);
    utimesSync(join(root, 'domain/a.ts'), new Date(), new Date(1));
    expect(changed()).toBe(true);
    rmSync(join(root, 'domain/a.ts'));
    expect(changed()).toBe(true);
  });
});

describe('the lock around installing and building', () => {
  const silent = (): void => {};

  it('lets one after the other in, and says so once', async () => {
    const path = join(root, 'lock');
    const order: string[] = [];
    const said: string[] = [];
    const turn = (name: string) => async (): Promise<void> => {
      order.push(`${name} in`);
      await new Promise((resolve) => setTimeout(resolve, 300));
      order.push(`${name} out`);
    };
    await Promise.all([
      whileLocked(path, silent, turn('first')),
      whileLocked(path, (line) => void said.push(line), turn('second')),
    ]);
    expect(order).toEqual(['first in', 'first out', 'second in', 'second out']);
    expect(said).toHaveLength(1);
    expect(existsSync(path)).toBe(false);
  });

  it('is taken over from a process that is gone', async () => {
    const path = join(root, 'lock');
    // Above every process id that a system assigns, so no such process exists.
    writeFileSync(path, '99999999');
    const inside = await whileLocked(path, silent, async () => readFileSync(path, 'utf8'));
    expect(inside).toBe(String(process.pid));
  });

  it('is taken over when its heartbeat stopped, whoever has the process id now', async () => {
    const path = join(root, 'lock');
    writeFileSync(path, String(process.ppid));
    utimesSync(path, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
    await expect(whileLocked(path, silent, async () => 'done')).resolves.toBe('done');
  });

  it('is given up when the work fails', async () => {
    const path = join(root, 'lock');
    await expect(whileLocked(path, silent, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(existsSync(path)).toBe(false);
  });
});
