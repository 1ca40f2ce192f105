import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DiskSignedUrls } from '../../adapters/vendors/disk/disk-signed-urls.js';
import { SystemClock } from '../../application/shared/clock.js';
import { readConfig } from '../../bootstrap/config.js';
import { newKeys, withdrawKey } from '../../cli/keys.command.js';

describe('[KEYS-04] the file of keys', () => {
  let folder: string;
  let file: string;
  const said: string[] = [];
  const print = (line: string) => void said.push(line);
  const known = () => readConfig({ KEYS_FILE: file }).signingKeys;
  const refusal = (env: object): string => {
    try {
      readConfig({ ...env });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'offcut-keys-'));
    file = join(folder, 'keys.json');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is made for its owner alone, and keeps former keys when new ones are added', () => {
    newKeys({ into: file, from: new Date('2026-11-01T00:00:00Z') }, print);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [first] = known().certificates;
    newKeys({ into: file, only: 'certificates', from: new Date('2026-12-01T00:00:00Z') }, print);
    expect(known().certificates.map(({ id }) => id)).toEqual([
      first?.id,
      expect.stringMatching(/^2026-12-01-/),
    ]);
    expect(known()['log-heads']).toHaveLength(1);
    expect(first?.secret).toHaveLength(32);
  });

  it('is printed where no file is named, as KEYS takes it', () => {
    said.length = 0;
    newKeys({ from: new Date() }, print);
    expect(readConfig({ KEYS: said[0] as string }).signingKeys.downloads).toHaveLength(1);
  });

  it('marks a key as withdrawn, but not the only one', () => {
    const [first, second] = known().certificates;
    withdrawKey({ file, id: first?.id as string }, print);
    expect(known().certificates.map(({ withdrawn }) => withdrawn)).toEqual([true, false]);
    const before = readFileSync(file, 'utf8');
    for (const id of [second?.id as string, 'nobody'])
      expect(() => withdrawKey({ file, id }, print)).toThrow(/every key is withdrawn|has no key nobody/);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it.each([
    ['no JSON', 'seed=1'],
    ['another purpose', '{"certificats":[]}'],
    ['a short secret', '{"certificates":[{"id":"first","secret":"AAAA","from":"2026-11-01T00:00:00Z"}]}'],
  ])('with %s is refused without repeating it', (_, text) => {
    const told = refusal({ KEYS: text });
    expect(told).toMatch(/^Configuration: KEYS is not as `offcut keys new` writes it/);
    expect(told).not.toContain('AAAA');
  });

  it('that everybody may read, that is missing, or that is set twice is refused', () => {
    const open = join(folder, 'open.json');
    writeFileSync(open, readFileSync(file));
    chmodSync(open, 0o644);
    expect(refusal({ KEYS_FILE: open })).toContain('chmod 600');
    expect(refusal({ KEYS_FILE: join(folder, 'nowhere') })).toContain('KEYS_FILE cannot be read');
    expect(refusal({ KEYS_FILE: file, KEYS: '{}' })).toContain('not both');
  });
});

it('[KEYS-05] addresses that a former key signed count until they end, those of a stranger never', () => {
  const key = (byte: number) => Buffer.alloc(32, byte);
  const urls = (signingKey: Buffer, ...otherKeys: Buffer[]) =>
    new DiskSignedUrls({ publicUrl: 'http://localhost', signingKey, otherKeys, clock: new SystemClock() });
  const address = new URL(urls(key(1)).sign('Users/a/b.wav', { expiresInSeconds: 60 }));
  const asked = { key: 'Users/a/b.wav', query: Object.fromEntries(address.searchParams) };
  expect(urls(key(2), key(1)).verify(asked).accepted).toBe(true);
  expect(urls(key(2), key(3)).verify(asked)).toEqual({ accepted: false, rejection: { code: 'Forged' } });
});
