import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CommandLine, ended, ROOT } from '../support/command-line.js';
import { sizeOf } from '../support/sizes.js';

let cli: CommandLine;

beforeAll(async () => {
  cli = await CommandLine.open();
});

afterAll(async () => {
  await cli?.close();
});

describe('offcut import, on recordings of others', () => {
  // Kept between runs, because collecting them takes a minute.
  const recordings = join(ROOT, 'node_modules/.cache/recordings');
  const collected = spawnSync(join(ROOT, 'test/support/real-audio.sh'), [recordings], {
    encoding: 'utf8',
    timeout: 240_000,
  });
  const here = collected.status === 0;
  // If the test cannot run, the report contains the reason.
  const run = here ? it : it.skip;

  run(
    `takes in files of mixed formats, killed half-way and started again${here ? '' : ` (${collected.stderr?.trim() || 'not collected'})`}`,
    async () => {
      const folder = join(cli.scratch, 'Recordings');
      mkdirSync(folder);
      const all = readdirSync(recordings).filter((name) => !name.startsWith('.'));
      expect(all.length).toBeGreaterThanOrEqual(150);
      // Every nth file, so that each format is among them.
      const step = Math.ceil(all.length / sizeOf('RECORDINGS'));
      const names = all.toSorted().filter((_, index) => index % step === 0);
      for (const name of names) copyFileSync(join(recordings, name), join(folder, name));
      expect(new Set(names.map((name) => name.split('.').pop()))).toEqual(new Set(['wav', 'mp3', 'm4a']));

      // The first progress that an import reports.
      const early = 25;
      const first = cli.start('import', folder, '--creator', cli.handle, '--publish');
      first.stderr?.on('data', (chunk: Buffer) => {
        if (String(chunk).includes(`${early} of`)) first.kill('SIGKILL');
      });
      expect((await ended(first)).code).toBeNull();
      const half = (await cli.ownPack('recordings')).samples.length;
      expect(half).toBeGreaterThanOrEqual(early);
      expect(half).toBeLessThan(names.length);

      const second = await cli.run('import', folder, '--creator', cli.handle, '--publish');
      expect(second).toMatchObject({
        stdout: expect.stringMatching(/Failed +0\n$/),
        code: 0,
        stderr: expect.stringContaining(`${names.length} of ${names.length} files`),
      });
      const pack = await cli.ownPack('recordings');
      expect(pack.status).toBe('published');
      expect(pack.samples.map((sample) => sample.filename)).toEqual(
        [...names].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })),
      );
      const found = (await cli.product.browser().get(`/api/packs/${cli.handle}/recordings`)).body as {
        samples: unknown[];
      };
      expect(found.samples).toHaveLength(names.length);
    },
  );
});
