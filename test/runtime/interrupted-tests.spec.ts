import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesOf } from '../support/processes.js';
import { until } from '../support/until.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'offcut-interrupted-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a run of tests that is interrupted', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('leaves no process and no file behind on %s', async (signal) => {
    const { TEST_DATABASE_URL: _shared, ...env } = process.env;
    // A process group of its own, as a terminal gives to each command.
    const run = spawn(
      process.execPath,
      ['bin/test.mjs', 'test/runtime/embedded-postgres', 'test/http/session'],
      {
        env: { ...env, TMPDIR: folder },
        detached: true,
        stdio: 'ignore',
      },
    );
    const ended = new Promise<number | null>((resolve) => run.once('exit', resolve));
    let hasEnded = false;
    void ended.then(() => (hasEnded = true));
    // The shared server and an application's folder exist, so the run is in the middle of its work.
    const inRun = () => readdirSync(folder).flatMap((name) => readdirSync(join(folder, name)));
    await until(() => hasEnded || inRun().some((name) => name.startsWith('offcut-app-')));
    expect(processesOf(folder).some((line) => line.includes('postgres -D'))).toBe(true);
    // Ctrl-C signals the whole group, `kill` one process.
    process.kill(signal === 'SIGINT' ? -(run.pid as number) : (run.pid as number), signal);
    expect(await ended).toBe(130);
    expect(processesOf(folder)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
