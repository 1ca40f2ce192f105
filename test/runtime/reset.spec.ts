import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'offcut-reset-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function reset(): { status: number | null; said: string } {
  const env = { PATH: process.env.PATH, DATA_DIR: folder };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/reset.mjs'], {
    env,
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

describe('npm run reset', () => {
  it('removes nothing from a folder that holds no data of Offcut', () => {
    writeFileSync(join(folder, 'thesis.txt'), 'years of work');
    const { status, said } = reset();
    expect(status).toBe(1);
    expect(said).toBe(`offcut: ${folder} does not look like a data folder of Offcut; nothing was removed\n`);
    expect(readdirSync(folder)).toEqual(['thesis.txt']);
  });

  it('is content with a folder that is empty', () => {
    expect(reset()).toEqual({ status: 0, said: `offcut: ${folder} is empty already\n` });
  });
});
