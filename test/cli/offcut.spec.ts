import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoredJobs } from '../../adapters/platform/jobs/stored-jobs.js';
import { recordPack } from '../support/catalogue.js';
import { CommandLine, ended, tone } from '../support/command-line.js';

let cli: CommandLine;

beforeAll(async () => {
  cli = await CommandLine.open();
});

afterAll(async () => {
  await cli?.close();
});

describe('offcut, called wrongly', () => {
  it.each([
    ['', []],
    ['', ['improt']],
    ['doctor', ['doctor', '--loud']],
    ['import', ['import', '.']],
    ['import', ['import', 'a', 'b', '--creator', 'x']],
    ['stripe', ['stripe']],
    ['stripe simulator', ['stripe', 'simulator', '--port', 'none']],
    ['finance', ['finance', 'trial-balanc']],
    ['finance ageing', ['finance', 'ageing', '--as-of', 'tomorrow']],
  ])('[DEV-580] prints the help of “offcut %s” alone and exits with 2', async (command, args) => {
    const { code, stdout, stderr } = await cli.run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const usages = stderr.split('\n').filter((line) => line.startsWith('Usage: '));
    expect(usages).toEqual([expect.stringMatching(new RegExp(`^Usage: offcut ${command} ?[[<]`))]);
  });

  it('[DEV-580] explains a failure in one sentence, without a stack, and exits with 1', async () => {
    for (const [args, sentence] of [
      [['finance', 'tie-out', '/none.csv'], 'offcut: /none.csv does not exist.\n'],
      [['finance', 'tie-out', cli.scratch], 'offcut: The path is a folder, not a file.\n'],
      [['finance', 'proof', 'nobody'], 'offcut: Not found: nobody\n'],
    ] as const)
      expect(await cli.run(...args)).toMatchObject({ code: 1, stdout: '', stderr: sentence });
  });

  it.each([
    ['doctor', 'checks'],
    ['jobs', 'failed'],
    ['projections', 'items'],
    ['fingerprints', 'samples'],
    ['migrate --check', 'missing'],
    ['staff list', 'items'],
    ['staff audit', 'items'],
    ['finance alerts', 'items'],
    ['finance open-items', 'items'],
    ['finance checklist 2026-10', 'items'],
  ])('[API-763] prints “offcut %s” as JSON', async (command, member) => {
    const { stdout, stderr } = await cli.run(...command.split(' '), '--json');
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toHaveProperty(member);
  });

  it('[API-763] explains an unexpected error without its stack', async () => {
    const fault = new TypeError('this.kinds is not a function');
    jest.spyOn(StoredJobs.prototype, 'kinds').mockRejectedValueOnce(fault);
    expect(await cli.run('jobs')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'offcut: Unexpected error: this.kinds is not a function\n',
    });
  });

  it('names an unknown creator and a missing folder in one line and exits with 1', async () => {
    const nobody = await cli.run('import', cli.scratch, '--creator', 'Nobody_At_All');
    expect(nobody.code).toBe(1);
    const missing = await cli.run('import', join(cli.scratch, 'not-there'), '--creator', cli.handle);
    expect(missing.code).toBe(1);
    expect(missing.stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('[DEV-03] offcut version', () => {
  it.each(['version', '--version', '-v'])('is the one of the package, also as %s', async (asked) => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await cli.run(asked)).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('[DEV-10] offcut --help', () => {
  it.each([
    [['--help'], 'Usage: offcut <command>', 'import-bucket [options] <place>'],
    [['help', 'import'], 'Usage: offcut import [options] <folder>', '--publish'],
    [['finance', '--help'], 'Usage: offcut finance [options] [command]', 'tie-out [options] <report.csv>'],
    [
      ['finance', 'credit-rollforward', '-h'],
      'Usage: offcut finance credit-rollforward [options]',
      '--user-id <userId>',
    ],
  ])('%j tells what there is to say, and does nothing', async (args, usage, detail) => {
    const { code, stdout, stderr } = await cli.run(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')[0]).toBe(usage);
    expect(stdout).toContain(detail);
  });

  it('an option that a command does not have is refused, and so is a role that nobody can have', async () => {
    for (const args of [
      ['finance', 'periods', '--as-of', '2026-01-01'],
      ['staff', 'grant', 'a@b.example', 'owner'],
    ])
      expect((await cli.run(...args)).code).toBe(2);
  });
});

describe('offcut import', () => {
  it('reads names, skips nothing silently, goes on after a broken file and exits with 1', async () => {
    const folder = join(cli.scratch, 'Cellar Tapes');
    mkdirSync(join(folder, 'takes'), { recursive: true });
    tone(join(folder, 'Felt_Bass_120bpm_Cmin.wav'), 110);
    tone(join(folder, 'takes', 'Snare Roll 90 BPM F#m.wav'), 220);
    tone(join(folder, '.hidden.wav'), 330);
    writeFileSync(join(folder, 'broken.wav'), 'RIFF but nothing of the kind');
    writeFileSync(join(folder, 'other.wma'), 'no sound');
    writeFileSync(join(folder, 'notes.txt'), 'not audio');
    const { code, stdout } = await cli.run('import', folder, '--creator', cli.handle);
    expect(code).toBe(1);
    expect(stdout).toMatch(/Added +2\n/);
    expect(stdout).toMatch(/Failed +2\n/);
    expect(stdout).toContain('broken.wav: ');
    expect(stdout).toContain('other.wma: not a WAV, AIFF, FLAC');
    const pack = await cli.ownPack('cellar-tapes');
    expect(pack.status).toBe('draft');
    expect(pack.samples).toMatchObject([
      { name: 'Felt Bass', bpm: 120, key: 'C Minor', instruments: ['Bass'] },
      { name: 'Snare Roll', bpm: 90, key: 'F# Minor', instruments: ['Snare'] },
    ]);
    // The import leaves no received file behind.
    expect(readdirSync(join(cli.product.dataDir, 'uploads'))).toEqual([]);
  });

  it('[MIG-02] reads plain names and title, displayName, file, src, url and keySignature of a pack.json', async () => {
    const folder = join(cli.scratch, 'from-json');
    mkdirSync(folder);
    ['one', 'Two', 'three', 'four', 'five'].forEach((name, i) =>
      tone(join(folder, `${name}.wav`), 200 + i * 30),
    );
    const samples = [
      'one',
      { title: 'The second', file: 'samples/two.wav', keySignature: 'Bb Major', bpm: '91', creditCost: 3 },
      { displayName: 'The third', src: 'https://elsewhere.example/three.wav?version=2', key: 'C#m' },
      { name: 'The fourth', url: '/x/FOUR.wav', instruments: ['Piano', 'Kazoo'] },
    ];
    writeFileSync(
      join(folder, 'pack.json'),
      JSON.stringify({
        name: 'Old Paper',
        genre: 'Expermental',
        mood: 'dreamy',
        description: 'Kept.',
        defaultCreditCost: 2,
        samples,
      }),
    );
    expect(await cli.run('import', folder, '--creator', cli.handle)).toMatchObject({ code: 0 });
    const pack = await cli.ownPack('old-paper');
    expect(pack).toMatchObject({
      title: 'Old Paper',
      genre: 'Experimental',
      mood: 'Dreamy',
      description: 'Kept.',
    });
    const byFile = Object.fromEntries(pack.samples.map((sample) => [sample.filename, sample]));
    expect(byFile).toMatchObject({
      'one.wav': { name: 'one', creditCost: 2 },
      'Two.wav': { name: 'The second', key: 'Bb Major', bpm: 91, creditCost: 3 },
      'three.wav': { name: 'The third', key: 'C# Minor' },
      'four.wav': { name: 'The fourth', instruments: ['Piano'] },
      'five.wav': { name: 'five' },
    });
  });

  it('[MIG-03, MIG-440] leaves a pack a draft, whatever status pack.json has', async () => {
    const cases = [
      ['no-status', {}],
      ['no-date', { status: 'unpublished' }],
      ['is-out', { status: 'published', publishedAt: '2024-05-01' }],
    ] as const;
    for (const [name, json] of cases) {
      const folder = join(cli.scratch, name);
      mkdirSync(folder);
      tone(join(folder, 'a.wav'), 300);
      writeFileSync(join(folder, 'pack.json'), JSON.stringify({ name, ...json, samples: ['a'] }));
      await cli.run('import', folder, '--creator', cli.handle);
      expect(await cli.ownPack(name)).toMatchObject({ status: 'draft' });
    }
  });

  it('adds nothing when run twice, and only what is new afterwards', async () => {
    const folder = join(cli.scratch, 'twice');
    mkdirSync(folder);
    tone(join(folder, 'a.wav'), 150);
    copyFileSync(join(folder, 'a.wav'), join(folder, 'the same again.wav'));
    expect((await cli.run('import', folder, '--creator', cli.handle)).stdout).toMatch(
      /Added +1\nAlready there +1\n/,
    );
    expect((await cli.run('import', folder, '--creator', cli.handle)).stdout).toMatch(
      /Added +0\nAlready there +2\n/,
    );
    tone(join(folder, 'b.wav'), 160);
    expect((await cli.run('import', folder, '--creator', cli.handle)).stdout).toMatch(
      /Added +1\nAlready there +2\n/,
    );
    expect((await cli.ownPack('twice')).samples).toHaveLength(2);
  });
});

describe('offcut import and export-pack', () => {
  it('[STOR-09] bring bare AAC back as it was', async () => {
    const folder = join(cli.scratch, 'aac');
    mkdirSync(folder);
    copyFileSync(new URL('../audio/fixtures/stream.aac', import.meta.url), join(folder, 'air.aac'));
    expect(await cli.run('import', folder, '--creator', cli.handle)).toMatchObject({ code: 0 });
    const out = join(cli.scratch, 'aac-out');
    expect((await cli.run('export-pack', 'aac', '--creator', cli.handle, '--to', out)).code).toBe(0);
    const again = ['import', join(out, 'aac'), '--creator', cli.handle, '--pack', 'Aac again'];
    expect(await cli.run(...again)).toMatchObject({ code: 0, stdout: expect.stringMatching(/Added +1\n/) });
    expect((await cli.ownPack('aac-again')).samples).toMatchObject([{ name: 'air', format: 'aac' }]);
  });
});

describe('[MIG-10] an import that cannot take everything', () => {
  it('says before it begins what the pack has no room for', async () => {
    const creatorId = cli.creator.userId;
    const many = Array.from({ length: 999 }, (_, at) => ({ title: `Kept ${at}` }));
    await recordPack(cli.product.resources.eventStore, { packId: 'full', name: 'Full', creatorId }, many, {
      draft: true,
    });
    const folder = join(cli.scratch, 'full');
    mkdirSync(folder);
    for (const hertz of [201, 202, 203]) tone(join(folder, `${hertz}.wav`), hertz);
    const { code, stdout, stderr } = await cli.run('import', folder, '--creator', cli.handle);
    expect(stderr.split('\n')[0]).toBe(
      '3 files are new, and the pack has room for 1 more: 2 will not be imported.',
    );
    expect(stdout).toMatch(/Added +1\n/);
    expect(stdout.match(/the pack is full/g)).toHaveLength(2);
    expect(code).toBe(1);
  });

  it('tells what is in when it is interrupted, publishes nothing, and goes on', async () => {
    const folder = join(cli.scratch, 'long');
    mkdirSync(folder);
    for (let at = 0; at < 40; at += 1) tone(join(folder, `${at}.wav`), 300 + at);
    const child = cli.start('import', folder, '--creator', cli.handle, '--publish');
    const over = ended(child);
    let isOver = false;
    void over.then(() => (isOver = true));
    while (!isOver && !((await cli.ownPack('long')).samples?.length > 0))
      await new Promise((resolve) => setTimeout(resolve, 100));
    child.kill('SIGINT');
    const { code, stdout, stderr } = await over;
    expect(code).toBe(130);
    expect(stderr).toContain('Run the same command again to continue.');
    const half = await cli.ownPack('long');
    expect(stdout).toMatch(new RegExp(`Added +${half.samples.length}\n`));
    expect(half.samples.length).toBeLessThan(40);
    expect(half.status).toBe('draft');
    expect(readdirSync(join(cli.product.dataDir, 'uploads'))).toEqual([]);
    const rest = await cli.run('import', folder, '--creator', cli.handle, '--publish');
    expect(rest).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`Already there +${half.samples.length}\n`)),
    });
    expect(await cli.ownPack('long')).toMatchObject({ status: 'published' });
  });
});

describe('offcut events and doctor', () => {
  it('prints a stream for people and as JSON, and says when there is none', async () => {
    const { id } = (await cli.creator.get('/api/creator/packs/twice')).body as { id: string };
    const plain = await cli.run('events', `pack-${id}`);
    expect(plain.stdout).toContain('PackDrafted');
    expect(plain.stdout).toMatch(/ v1 /);
    const json = await cli.run('events', `pack-${id}`, '--json');
    const events = json.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ stream: `pack-${id}`, version: 1, type: 'PackDrafted' });
    expect(events[0].position).toBeGreaterThan(0);
    expect(await cli.run('events', 'pack-none')).toMatchObject({ code: 1, stdout: '' });
  });

  it('[OPS-333] names the read model in which a row is not what the log says', async () => {
    const { pool } = cli.product.resources.database;
    const changed = await pool.query(
      `update sample set price_credits = price_credits + 1 where sample_id = (select min(sample_id) from sample)`,
    );
    expect(changed.rowCount).toBe(1);
    const { code, stdout } = await cli.run('doctor');
    expect(code).toBe(1);
    expect(stdout).toContain('FAILED  projections: own-packs differs from the log in 2 rows of sample');
    await pool.query(
      `update sample set price_credits = price_credits - 1 where sample_id = (select min(sample_id) from sample)`,
    );
  });

  it('[OPS-35, DOOR-21] finds everything well, then names the place where an event was changed', async () => {
    const well = await cli.run('doctor');
    expect(well).toMatchObject({ code: 0 });
    expect(
      well.stdout
        .trim()
        .split('\n')
        .map((line) => line.slice(0, 8).trim()),
    ).toEqual(Array(11).fill('ok'));
    expect(well.stdout).toMatch(
      /access: answers as localhost, .*TRUST_PROXY is 0.*; \/metrics is open to: all; security contact: no one \(SECURITY_CONTACT is not set\)/,
    );
    expect(well.stdout).toMatch(/staff: \d+ administrators?/);
    const progress = await cli.run('projections');
    expect(progress).toMatchObject({ code: 0, stderr: '' });
    expect(progress.stdout).toMatch(/^catalogue-search +version \d+ +position \d+ +\d+ behind$/m);
    const { pool } = cli.product.resources.database;
    const { rows } = await pool.query(
      `select position from event where type = 'SampleAdded' order by position offset 2 limit 1`,
    );
    await cli.product.resources.database.transaction(async (client) => {
      // Changes the log as a determined owner of the database could: the triggers are disabled first.
      await client.query(`alter table event disable trigger user`);
      await client.query(`update event set data = '{"packId":"x"}' where position = $1`, [rows[0].position]);
      await client.query(`alter table event enable trigger user`);
    });
    const broken = await cli.run('doctor', '--json');
    expect(broken.code).toBe(1);
    const { ok, checks } = JSON.parse(broken.stdout);
    expect([ok, checks.length]).toEqual([false, 11]);
    expect(checks).toContainEqual({
      name: 'log chain',
      ok: false,
      detail: expect.stringContaining(`broken at position ${rows[0].position}`),
    });
  });
});
