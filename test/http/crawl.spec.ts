import { randomBytes, randomUUID } from 'node:crypto';
import { request as send } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { TakeDownSample } from '../../application/publishing/takedowns.js';
import { ENDPOINTS } from '../../application/all-endpoints.js';
import { HoldSample } from '../../application/publishing/decide-on-sample.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { draftPack, upload } from '../support/publishing.js';
import { grantRoles } from '../support/staff.js';
import { wavOf } from '../support/wav.js';
import { makeStems } from '../support/zip.js';

const ROLES = ['visitor', 'listener', 'other creator', 'admin', 'finance'] as const;
type Role = (typeof ROLES)[number];

interface Sound {
  id: string;
  original: Buffer;
  /** Extras for buyers. */
  stems: Buffer;
  midi: Buffer;
  previewUrl: string;
  preview: Buffer;
}

let product: TestProduct;
let owner: HttpClient;
const people = {} as Record<Role, HttpClient>;
/** A sound on sale, a held one, one that was taken down, and one in a draft pack. */
const sounds = {} as Record<'sold' | 'held' | 'taken' | 'draft', Sound>;
let originalKeys: string[];
/** Values for parameters in addresses. */
const names: Record<string, string[]> = {};

interface Raw {
  status: number;
  type: string;
  bytes: Buffer;
}

/** Sends the address unchanged; `fetch` would normalize it. */
function fetched(client: HttpClient, path: string, more: { method?: string; range?: string } = {}) {
  const { hostname, port } = new URL(product.url);
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { ...(cookie && { cookie }), ...(more.range && { range: more.range }) };
  return new Promise<Raw>((resolve, reject) => {
    send({ hostname, port, path, method: more.method ?? 'GET', headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const place = Buffer.from(` ${answer.headers.location ?? ''} `);
        const type = answer.headers['content-type'] ?? '';
        resolve({ status: answer.statusCode ?? 0, type, bytes: Buffer.concat([...parts, place]) });
      });
    })
      .on('error', reject)
      .end();
  });
}

/** Returns pieces of a file that occur in no other file. */
const stretches = (bytes: Buffer): Buffer[] =>
  [0.05, 0.3, 0.55, 0.8].map((share) => bytes.subarray(Math.floor(bytes.length * share)).subarray(0, 96));
const holds = (bytes: Buffer, file: Buffer) => stretches(file).some((stretch) => bytes.includes(stretch));

beforeAll(async () => {
  product = await startTestProduct({}, { web: true });
  const commands = product.app.get(CommandBus, { strict: false });
  owner = await product.signedUp();
  await owner.becomeCreator();
  Object.assign(people, { visitor: product.browser() });
  for (const role of ROLES.slice(1)) people[role] = await product.signedUp();
  await people['other creator'].post('/api/creator/application', {});
  for (const role of ['admin', 'finance'] as const)
    await grantRoles(product.resources.database, people[role].userId, role);

  const pack = await draftPack(owner);
  const draft = await draftPack(owner);
  let hertz = 111;
  for (const name of ['sold', 'held', 'taken', 'draft'] as const) {
    const original = wavOf({ seconds: 1, hertz: (hertz += 13.7) });
    const packId = name === 'draft' ? draft.id : pack.id;
    const added = await upload(owner, `/api/creator/packs/${packId}/samples`, { bytes: original });
    const { id, previewUrl } = added.body.sample;
    const stems = await makeStems(randomBytes(4_000));
    const midi = Buffer.concat([Buffer.from('MThd\0\0\0\x06\0\0\0\x01\0\x60', 'latin1'), randomBytes(4_000)]);
    for (const [kind, file, bytes] of [
      ['stems', 's.zip', stems],
      ['midi', 'm.mid', midi],
    ] as const) {
      const path = `/api/creator/packs/${packId}/samples/${id}/${kind}`;
      const kept = await upload(owner, path, { part: 'file', name: file, bytes }, { method: 'put' });
      expect([kind, kept.status]).toEqual([kind, 200]);
    }
    const preview = (await fetched(owner, previewUrl)).bytes;
    sounds[name] = { id, original, stems, midi, previewUrl, preview };
  }
  await owner.post(`/api/creator/packs/${pack.id}/publish`);
  const because = { kind: 'complaint', id: randomUUID() } as const;
  await commands.execute(new HoldSample({ sampleId: sounds.held.id }, because, people.admin.userId));
  await commands.execute(new TakeDownSample(sounds.taken.id, people.admin.userId, 'Stolen'));

  const { objects } = await product.resources.storage.list({ prefix: 'Users/', limit: 1_000 });
  originalKeys = objects.map(({ key }) => key).filter((key) => /\.(wav|zip|mid)$/.test(key));
  Object.assign(names, {
    id: [pack.id, draft.id, ...Object.values(sounds).map(({ id }) => id)],
    sampleId: Object.values(sounds).map(({ id }) => id),
    handle: [pack.creatorHandle],
    slug: [pack.slug, draft.slug],
    userId: [owner.userId],
    creatorId: [owner.userId],
  });
});
afterAll(() => product?.stop());

/** Returns what a role may not hear: all originals, and previews of sounds that are not in the shop. */
const secretsFor = (role: Role): [string, Buffer][] => [
  ...Object.entries(sounds).flatMap(([name, { original, stems, midi }]): [string, Buffer][] => [
    [`original, ${name}`, original],
    [`stems, ${name}`, stems],
    [`MIDI, ${name}`, midi],
  ]),
  ...(['held', 'taken', 'draft'] as const)
    // Administrators decide on held sounds, so they may listen to them.
    .filter((name) => role !== 'admin' || name === 'taken')
    .map((name): [string, Buffer] => [`preview, ${name}`, sounds[name].preview]),
];

/** Returns every address of our server in an answer. */
function addressesIn(bytes: Buffer): string[] {
  const text = bytes.toString('latin1').replaceAll(product.url, ' ').replaceAll('&amp;', '&');
  return Array.from(text.matchAll(/[\s"'>(,](\/[a-z.][^\s"'<>)\\]*)/g), ([, path = '']) => path);
}

/** Returns the addresses of endpoints that read, filled with every known name. */
function firstAddresses(): string[] {
  const filled = (path: string): string[] => {
    const parameter = /[:*](\w+)/.exec(path);
    if (!parameter) return [path];
    return (names[parameter[1] ?? ''] ?? ['nowhere']).flatMap((name) =>
      filled(path.replace(parameter[0], name)),
    );
  };
  const listed = ['Users', ...originalKeys.map((key) => key.replace(/\/[^/]*$/, ''))];
  return [
    ...ENDPOINTS.filter(({ method }) => method === 'GET').flatMap(({ path }) => filled(path)),
    ...Array.from(new Set(listed), (prefix) => `/api/storage/list?bucket=Sounds&prefix=${prefix}`),
    ...Object.values(sounds).map(({ previewUrl }) => previewUrl),
    // Pages for people and crawlers.
    '/',
    '/sounds',
    '/discover',
    '/collections',
    '/search',
    '/sitemap.xml',
    '/robots.txt',
    ...(names.slug ?? []).map((slug) => `/pack/${slug}/${names.handle}`),
    `/creator/${names.handle}`,
  ];
}

const LIMIT = 3_000;

describe('whoever follows every address', () => {
  it.each(ROLES)(
    '[ROLE-40] as %s finds no original, and nothing of what is held, taken down or a draft',
    async (role) => {
      const waiting = firstAddresses();
      const seen = new Set(waiting);
      const found: string[] = [];
      let pages = 0;
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        const { status, type, bytes } = await fetched(people[role], path);
        if (status === 200 && type.startsWith('text/html')) pages += 1;
        for (const [what, file] of secretsFor(role)) if (holds(bytes, file)) found.push(`${path}: ${what}`);
        if (!/^audio|^image|zip|javascript|css/.test(type))
          for (const next of addressesIn(bytes))
            if (!seen.has(next) && seen.size < LIMIT) {
              seen.add(next);
              waiting.push(next);
            }
      }
      expect(found).toEqual([]);
      expect(pages).toBeGreaterThan(8);
      expect(seen.size).toBeGreaterThan(100);
      expect(seen.size).toBeLessThan(LIMIT);
    },
  );

  it('[ROLE-40] would find what is there: its owner hears each of them but what was taken down', async () => {
    for (const name of ['sold', 'held', 'draft'] as const)
      expect(holds((await fetched(owner, sounds[name].previewUrl)).bytes, sounds[name].preview)).toBe(true);
    expect((await fetched(owner, sounds.taken.previewUrl)).status).toBe(410);
    const key = originalKeys.find((each) => each.endsWith('.wav')) ?? '';
    const original = await fetched(owner, `/api/storage/object?bucket=Sounds&path=${key}`);
    expect(Object.values(sounds).some((sound) => holds(original.bytes, sound.original))).toBe(true);
  });
});

/** Spellings of a key that vulnerability scanners try. */
const SPELLINGS: readonly ((key: string) => string)[] = [
  (key) => key,
  (key) => encodeURIComponent(key),
  (key) => encodeURIComponent(encodeURIComponent(key)),
  (key) => key.toLowerCase(),
  (key) => key.toUpperCase(),
  (key) => `/${key}`,
  (key) => `./${key}`,
  (key) => `x/../${key}`,
  (key) => `x/%2e%2e/${key}`,
  (key) => `x%2f..%2f${key}`,
  (key) => `..;/${key}`,
  (key) => `....//${key}`,
  (key) => key.replaceAll('/', '//'),
  (key) => key.replaceAll('/', '%2f'),
  (key) => key.replaceAll('/', '%5c'),
  (key) => key.replaceAll('/', '%c0%af'),
  (key) => `${key}/`,
  (key) => `${key}.`,
  (key) => `${key}%00`,
  (key) => `${key}%00.mp3`,
  (key) => `${key}%20`,
  (key) => `${key}?download=1`,
  (key) => `${key}%3f.mp3`,
  (key) => `${key}%23.mp3`,
  (key) => `${key};.mp3`,
  (key) => `${key}::$DATA`,
  (key) => key.replace('.wav', '.WAV'),
  (key) => key.replace('Users/', ''),
  (key) => key.replace('Users', '%55sers'),
];
const PLACES = [
  '/',
  '/media/',
  '/media/signed/',
  '/media/previews/',
  '/media/covers/',
  '/media/avatars/../',
  '/api/media/',
  '/assets/',
  '/.data/',
  '/api/storage/object?bucket=Sounds&path=',
  '/api/storage/object?bucket=Sounds&path=Users/../',
  '/api/storage/object?bucket=previews&path=',
  '/api/downloads/',
];

it.each(['visitor', 'other creator'] as const)(
  '[ROLE-41] no spelling of an original’s key gives it to %s, whole or in part',
  async (role) => {
    expect(originalKeys.length).toBeGreaterThan(0);
    const key = originalKeys.find((each) => each.endsWith('.wav')) ?? '';
    const found: string[] = [];
    for (const place of PLACES)
      for (const spell of SPELLINGS) {
        const path = place + spell(key);
        const answers = [
          await fetched(people[role], path),
          await fetched(people[role], path, { range: 'bytes=0-9999' }),
        ];
        const whole = Object.values(sounds).some(({ original }) =>
          answers.some(({ bytes }) => holds(bytes, original)),
        );
        if (whole || answers.some(({ status }) => status >= 500)) found.push(path);
      }
    expect(found).toEqual([]);
  },
);
