import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { YazlArchiver } from '../../adapters/vendors/zip/yazl-archiver.js';
import type { ArchiveEntry } from '../../application/storage/archive.js';
import { readZip } from '../support/zip.js';
import { until } from '../support/until.js';

const modifiedAt = new Date('2026-11-20T12:00:00Z');
const MEGABYTE = 1024 * 1024;

/** Files that count how many of them are open, and how many bytes were read. */
function files(count: number, sizeBytes: number) {
  const seen = { open: 0, mostOpen: 0, opened: 0, readBytes: 0 };
  const entries: ArchiveEntry[] = Array.from({ length: count }, (_, n) => ({
    name: `${n}.wav`,
    modifiedAt,
    sizeBytes,
    open: async () => {
      seen.opened += 1;
      seen.open += 1;
      seen.mostOpen = Math.max(seen.mostOpen, seen.open);
      let left = sizeBytes;
      const stream = new Readable({
        read() {
          const part = Math.min(left, 64 * 1024);
          left -= part;
          seen.readBytes += part;
          this.push(part === 0 ? null : Buffer.alloc(part, n));
        },
      });
      return stream.once('close', () => (seen.open -= 1));
    },
  }));
  return { entries, seen };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 100));

describe('ZIP archives', () => {
  it('hold every entry as it is and are as long as announced', async () => {
    const { entries, seen } = files(3, 200_000);
    const { body, sizeBytes } = await new YazlArchiver().pack([
      { name: 'ü/manifest.json', modifiedAt, bytes: Buffer.from('{}') },
      ...entries,
    ]);
    const bytes = await buffer(body);
    expect(bytes.length).toBe(sizeBytes);
    const found = readZip(bytes);
    expect([...found.keys()]).toEqual(['ü/manifest.json', '0.wav', '1.wav', '2.wav']);
    expect(found.get('2.wav')?.equals(Buffer.alloc(200_000, 2))).toBe(true);
    expect(seen.mostOpen).toBe(1);
  });

  it('read no further ahead than the reader', async () => {
    const { entries, seen } = files(2, 16 * MEGABYTE);
    const { body } = await new YazlArchiver().pack(entries);
    await soon();
    expect(seen.readBytes).toBeLessThan(MEGABYTE);
    body.destroy();
  });

  it('close the open file and open no other when the reader goes away', async () => {
    const { entries, seen } = files(3, 4 * MEGABYTE);
    const { body } = await new YazlArchiver().pack(entries);
    body.once('readable', () => body.read());
    await until(() => seen.open === 1);
    body.destroy();
    await until(() => seen.open === 0);
    await soon();
    expect([seen.open, seen.opened]).toEqual([0, 1]);
  });

  it.each<[string, () => Promise<Readable>]>([
    ['cannot be opened', () => Promise.reject(new Error('gone'))],
    [
      'breaks off',
      async () =>
        Readable.from(
          (async function* () {
            yield Buffer.alloc(10);
            throw new Error('gone');
          })(),
        ),
    ],
    ['is shorter than it should be', async () => Readable.from([Buffer.alloc(10)])],
  ])('break when a file %s', async (_, open) => {
    const { body } = await new YazlArchiver().pack([{ name: 'a', modifiedAt, sizeBytes: 100, open }]);
    await expect(buffer(body)).rejects.toThrow();
  });
});
