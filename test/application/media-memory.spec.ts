import { afterAll, beforeEach, expect, it, jest } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { DiskObjectStorage } from '../../adapters/vendors/disk/disk-object-storage.js';
import { MediaMemory } from '../../application/media/media-memory.js';
import { SystemClock } from '../../application/shared/clock.js';

const MIB = 1024 * 1024;
const root = mkdtempSync(join(tmpdir(), 'offcut-memory-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let storage: DiskObjectStorage;
let memory: MediaMemory;
let asked: jest.SpiedFunction<DiskObjectStorage['get']>;
beforeEach(() => {
  storage = new DiskObjectStorage({
    root,
    publicUrl: 'http://x',
    signingKey: Buffer.alloc(32),
    clock: new SystemClock(),
  });
  asked = jest.spyOn(storage, 'get');
  memory = new MediaMemory(storage);
});

const put = (key: string, body: Buffer) => storage.put(key, body, { contentType: 'audio/mpeg' });
const read = async (key: string, range?: { start: number; end?: number }) =>
  buffer((await memory.get(key, range)).body);

it('[OPS-245] asks the storage once for a file, also when many ask at once, until it is deleted', async () => {
  await put('a', Buffer.from('0123456789'));
  const [whole, part] = await Promise.all([read('a'), read('a', { start: 2, end: 4 })]);
  expect([whole?.toString(), part?.toString()]).toEqual(['0123456789', '234']);
  expect((await read('a', { start: 8 })).toString()).toBe('89');
  expect((await memory.head('a'))?.sizeBytes).toBe(10);
  expect(asked).toHaveBeenCalledTimes(1);
  await storage.delete('a');
  expect(await memory.head('a')).toBeUndefined();
});

it('[OPS-245] keeps those that were asked for last, and no large file', async () => {
  const names = Array.from({ length: 17 }, (_, index) => `file-${index}`);
  for (const name of names) await put(name, Buffer.alloc(4 * MIB));
  for (const name of names.slice(0, 16)) await read(name);
  await read('file-0');
  await read('file-16');
  asked.mockClear();
  await read('file-0');
  expect(asked).not.toHaveBeenCalled();
  await read('file-1');
  expect(asked).toHaveBeenCalledTimes(1);
  await put('large', Buffer.alloc(4 * MIB + 1, 'x'));
  expect((await memory.head('large'))?.sizeBytes).toBe(4 * MIB + 1);
  expect((await read('large', { start: 4 * MIB })).toString()).toBe('x');
  asked.mockClear();
  await read('large');
  expect(asked).toHaveBeenCalled();
});
