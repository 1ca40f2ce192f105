import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ComplaintsModule } from '../../adapters/complaints/complaints.module.js';
import { CatalogueModule } from '../../adapters/catalogue/catalogue.module.js';
import { LibraryModule } from '../../adapters/library/library.module.js';
import { ReportsModule } from '../../adapters/reports/reports.module.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { grantRoles } from '../support/staff.js';

let store: TestDatabase;
let test: TestApp;

beforeAll(async () => {
  store = await startTestDatabase();
  test = await startTestApp({
    database: store.database,
    imports: [ComplaintsModule, CatalogueModule, LibraryModule, ReportsModule],
  });
});

afterAll(async () => {
  await test?.close();
  await store?.close();
});

const savedPath = (itemId: string) => `/api/library/saved/${encodeURIComponent(itemId)}`;
const kick = { type: 'sample', title: 'Kick', artist: 'Ada', bpm: 120, instruments: ['Drums'] };

describe('saved items', () => {
  it('[SAVE-09] saving and removing twice change nothing more', async () => {
    const ada = await test.signedUp();
    const first = await ada.put(savedPath('sample:Ada:Kick'), kick);
    test.clock.advance(1_000);
    const second = await ada.put(savedPath('sample:Ada:Kick'), kick);
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect((await ada.get('/api/library/saved')).body).toMatchObject({ total: 1, nextCursor: null });
    expect((await ada.delete(savedPath('sample:Ada:Kick'))).status).toBe(204);
    expect((await ada.delete(savedPath('sample:Ada:Kick'))).status).toBe(204);
    expect((await ada.get('/api/library/saved')).body).toMatchObject({ items: [], total: 0 });
  });

  it('[SAVE-08] keeps every field of an item, under ids with slashes and colons', async () => {
    const ada = await test.signedUp();
    const item = {
      type: 'track',
      title: 'Kick',
      name: 'Kick',
      artist: 'Ada',
      creator: 'Ada',
      pack: 'Kicks',
      genre: 'Techno',
      artwork: '/media/covers/a.webp',
      url: '/pack/kicks/ada',
      fileUrl: 'https://files.example/a b/ü.wav?x=1',
      duration: '0:12',
      bpm: 120,
      keySignature: 'C Minor',
      mood: 'Dark',
      instruments: ['Drums', 'Bass'],
    };
    const id = `file:${item.fileUrl}`;
    expect((await ada.put(savedPath(id), item)).status).toBe(200);
    const { items } = (await ada.get('/api/library/saved')).body;
    expect(items).toEqual([{ id, item, sample: null, createdAt: test.clock.now().toISOString() }]);
  });

  it('[SAVE-09] one user neither sees nor removes what another saved', async () => {
    const [ada, eve] = [await test.signedUp(), await test.signedUp()];
    await ada.put(savedPath('s1'), { ...kick, id: 's1' });
    expect((await eve.get('/api/library/saved')).body.items).toEqual([]);
    expect((await eve.delete(savedPath('s1'))).status).toBe(204);
    await eve.put(savedPath('s1'), { ...kick, id: 's1', title: 'Stolen' });
    const { items } = (await ada.get('/api/library/saved')).body;
    expect(items.map((row: { item: unknown }) => row.item)).toEqual([{ ...kick, id: 's1' }]);
  });

  it('lists newest first, and paging to the end gives each item once', async () => {
    const ada = await test.signedUp();
    for (let number = 1; number <= 7; number++) {
      test.clock.advance(number % 3 === 0 ? 0 : 1_000);
      await ada.put(savedPath(`s${number}`), { ...kick, id: `s${number}` });
    }
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await ada.get(`/api/library/saved?limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.items.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor ?? '';
    } while (cursor);
    expect(seen).toEqual(['s7', 's6', 's5', 's4', 's3', 's2', 's1']);
  });

  it('[SAVE-07] imports older browser items under the ids the server makes, twice without effect', async () => {
    const ada = await test.signedUp();
    const items = [
      { type: 'sample', title: 'Kick', artist: 'Ada' },
      { type: 'pack', title: 'Kicks', creator: 'Ada' },
      { type: 'track', title: 'Snare', fileUrl: '/s.wav' },
      { type: 'sample', title: 'Kick', artist: 'Ada', genre: 'Techno' },
    ];
    const first = await ada.post('/api/library/saved/import', { items });
    expect(first).toMatchObject({ status: 200, body: { imported: 3 } });
    const listed = await ada.get('/api/library/saved');
    await ada.post('/api/library/saved/import', { items });
    expect((await ada.get('/api/library/saved')).body).toEqual(listed.body);
    expect(listed.body.items.map(({ id }: { id: string }) => id)).toEqual([
      'pack:Ada:Kicks',
      'file:/s.wav',
      'sample:Ada:Kick',
    ]);
    expect(listed.body.items[2].item.genre).toBe('Techno');
  });

  it.each([
    ['an unknown field', { ...kick, isAdmin: true }, ''],
    ['an unknown type', { ...kick, type: 'song' }, 'type'],
    ['an endless text', { ...kick, title: 'x'.repeat(501) }, 'title'],
    ['an id that contradicts the address', { ...kick, id: 'other' }, 'id'],
    ['a number for a text', { ...kick, title: 7 }, 'title'],
  ])('refuses %s', async (_, item, path) => {
    const ada = await test.signedUp();
    const answer = await ada.put(savedPath('s1'), item);
    expect(answer).toMatchObject({ status: 400, body: { code: 'InvalidRequest', errors: [{ path }] } });
    expect((await ada.get('/api/library/saved')).body.items).toEqual([]);
  });

  it('refuses an endless id and a NUL', async () => {
    const ada = await test.signedUp();
    expect((await ada.put(savedPath('x'.repeat(2_000)), kick)).status).toBe(400);
    expect((await ada.put(savedPath('a\u0000b'), kick)).status).toBe(400);
    expect((await ada.put(savedPath('s1'), { ...kick, title: 'a\u0000b' })).status).toBe(400);
  });
});

describe('history', () => {
  it('[HIST-02] keeps ten entries a user, newest first, each once', async () => {
    const [ada, eve] = [await test.signedUp(), await test.signedUp()];
    for (let number = 1; number <= 12; number++) {
      test.clock.advance(1_000);
      const entry = { id: `s${number}`, title: `Kick ${number}`, artist: 'Ada' };
      expect((await ada.post('/api/library/history', entry)).status).toBe(201);
    }
    test.clock.advance(1_000);
    await ada.post('/api/library/history', { id: 's5', title: 'Kick 5', artist: 'Ada', packSlug: 'kicks' });
    const { items } = (await ada.get('/api/library/history')).body;
    const order = ['s5', 's12', 's11', 's10', 's9', 's8', 's7', 's6', 's4', 's3'];
    expect(items.map(({ id }: { id: string }) => id)).toEqual(order);
    expect(items[0]).toMatchObject({ packSlug: 'kicks', timestamp: test.clock.now().toISOString() });
    expect((await eve.get('/api/library/history')).body).toEqual({ items: [] });
  });
});

describe('reports', () => {
  it('go from a user to the administrators, who alone read them', async () => {
    const [ada, boss] = [await test.signedUp(), await test.signedUp()];
    const filed = await ada.post('/api/reports', { kind: 'sample', id: 's1', reason: 'copyright' });
    expect(filed.status).toBe(201);
    expect((await ada.get('/api/reports')).status).toBe(403);
    await grantRoles(store.database, boss.userId, 'admin');
    const { items } = (await boss.get('/api/reports')).body;
    expect(items).toMatchObject([{ id: filed.body.id, subjectId: 's1', reporterId: ada.userId }]);
  });

  it('need a reason that is one', async () => {
    const ada = await test.signedUp();
    expect((await ada.post('/api/reports', { kind: 'sample', id: 's1', reason: 'dislike' })).status).toBe(
      400,
    );
    expect((await ada.post('/api/reports', { kind: 'sample', id: '../x', reason: 'other' })).status).toBe(
      400,
    );
  });
});

it('[ROLE-01] a visitor reads and changes nobody’s library', async () => {
  const visitor = test.browser();
  const answers = await Promise.all([
    visitor.get('/api/library/saved'),
    visitor.put(savedPath('s1'), kick),
    visitor.delete(savedPath('s1')),
    visitor.post('/api/library/saved/import', { items: [] }),
    visitor.get('/api/library/history'),
    visitor.post('/api/library/history', { id: 's1', title: 'Kick', artist: 'Ada' }),
    visitor.post('/api/reports', { kind: 'sample', id: 's1', reason: 'other' }),
  ]);
  for (const answer of answers) expect(answer).toMatchObject({ status: 401, body: { code: 'NotSignedIn' } });
});

describe('downloads that an older client remembered', () => {
  const items = [
    {
      url: 'https://files.example/a.wav',
      filename: 'a.wav',
      track: 'A',
      createdAt: '2024-05-01T00:00:00.000Z',
    },
    { url: 'https://files.example/b.wav', track: 'B', createdAt: '2024-06-01T00:00:00.000Z' },
  ];

  it('[MIG-01] are upserted as history and entitle to nothing', async () => {
    const ada = await test.signedUp();
    for (const attempt of [1, 2]) {
      const { status, body } = await ada.post('/api/library/downloads/import', { items });
      expect([attempt, status, body]).toEqual([attempt, 200, { imported: 2 }]);
    }
    const renamed = [{ ...items[0], track: 'A again' }];
    await ada.post('/api/library/downloads/import', { items: renamed });
    expect((await ada.get('/api/library/downloads/imported')).body.items).toEqual([items[1], ...renamed]);
    const owned = await store.database.pool.query('select 1 from owned_sample');
    expect(owned.rowCount).toBe(0);
    const other = await test.signedUp();
    expect((await other.get('/api/library/downloads/imported')).body.items).toEqual([]);
  });

  it('[MIG-01] come a thousand at a time, as saved items do', async () => {
    const ada = await test.signedUp();
    const url = (n: number) =>
      `https://files.example/Users/ada/Packs/night/samples/${n}-${'x'.repeat(60)}.wav`;
    const downloads = Array.from({ length: 1_000 }, (_, n) => ({ url: url(n), track: `Take ${n}` }));
    expect(await ada.post('/api/library/downloads/import', { items: downloads })).toMatchObject({
      status: 200,
      body: { imported: 1_000 },
    });
    const saved = downloads.map(({ track }, n) => ({ type: 'sample', title: track, fileUrl: url(n) }));
    expect(await ada.post('/api/library/saved/import', { items: saved })).toMatchObject({
      status: 200,
      body: { imported: 1_000 },
    });
  });

  it.each([[{}], [{ url: '' }], [{ url: '/a', owned: true }], [{ url: '/a', createdAt: 'yesterday' }]])(
    'refuses %j',
    async (item) => {
      const ada = await test.signedUp();
      expect((await ada.post('/api/library/downloads/import', { items: [item] })).status).toBe(400);
    },
  );
});
