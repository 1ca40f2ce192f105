import { expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import type { BucketSource, SourceFile } from '../../application/publishing/imports/bucket-source.js';
import type { ListOptions } from '../../application/storage/object-storage.js';
import { bucketPacks, creatorFolders } from '../../application/publishing/imports/bucket-pack.js';

/** A bucket with keys in memory. It records the limit of each request. */
class Keys implements BucketSource {
  readonly asked: Array<[prefix: string, limit: number]> = [];

  constructor(private readonly keys: string[]) {}

  async list({ prefix, limit = 1_000, cursor }: ListOptions) {
    this.asked.push([prefix, limit]);
    const below = this.keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
    const entries = [...new Set(below.map((rest) => prefix + /^[^/]*\/?/.exec(rest)?.[0]))].sort();
    const rest = entries.filter((entry) => !cursor || entry > cursor);
    const page = rest.slice(0, limit);
    const files = page.filter((entry) => !entry.endsWith('/'));
    return {
      objects: files.map((key): SourceFile => ({ key, sizeBytes: 1, lastModified: new Date(0) })),
      prefixes: page.filter((entry) => entry.endsWith('/')),
      ...(rest.length > limit ? { nextCursor: page.at(-1) as string } : {}),
    };
  }

  async get() {
    return { body: Readable.from([Buffer.from('{"samples": []}')]) };
  }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const numbered = (count: number, key: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => key(n));

it('[MIG-04] pages 200 users and 200 packs, to the end and each once', async () => {
  const source = new Keys([
    ...numbered(450, (n) => `Users/u${n}/Packs/p/pack.json`),
    ...numbered(210, (n) => `Users/u0/Packs/q${n}/pack.json`),
  ]);
  const users = await all(creatorFolders(source));
  expect(new Set(users).size).toBe(450);
  expect(users).toHaveLength(450);
  expect(source.asked).toEqual(numbered(3, () => 'Users/').map((prefix) => [prefix, 200]));
  source.asked.length = 0;
  expect(await all(bucketPacks(source, 'u0'))).toHaveLength(211);
  expect(source.asked.filter(([prefix]) => prefix === 'Users/u0/Packs/')).toEqual([
    ['Users/u0/Packs/', 200],
    ['Users/u0/Packs/', 200],
  ]);
});

it('[MIG-04] pages 1000 samples and 100 covers of a pack', async () => {
  const pack = 'Users/u/Packs/p';
  const source = new Keys([
    `${pack}/pack.json`,
    ...numbered(1_300, (n) => `${pack}/samples/s${n}.wav`),
    ...numbered(150, (n) => `${pack}/covers/c${n}.png`),
  ]);
  const [found] = await all(bucketPacks(source, 'u'));
  expect(found?.audio).toHaveLength(1_300);
  expect(source.asked.filter(([prefix]) => /samples|covers/.test(prefix))).toEqual([
    [`${pack}/samples/`, 1_000],
    [`${pack}/samples/`, 1_000],
    [`${pack}/covers/`, 100],
    [`${pack}/covers/`, 100],
  ]);
});
