import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CollectionPage,
  CreatorProfile,
  DiscoverPage,
  HomePage,
  PackDetail,
  PackPage,
  SamplePage,
  SimilarSamples,
  SoundsPage,
} from '../../application/catalogue/contract.js';
import { recordPack, recordPurchases } from '../support/catalogue.js';
import type { HttpClient } from '../support/http-client.js';
import { breaksBooks } from '../support/invariants.js';
import { grantRoles } from '../support/staff.js';
import { startPublishingApp, type PublishingApp } from '../support/publishing.js';
import { changeOf, fitOf } from '../../domain/catalogue/fit.js';

let test: PublishingApp;
let visitor: HttpClient;
let mira: HttpClient;
let juno: HttpClient;

interface Item {
  id: string;
  title: string;
  bpm: number;
  key: string | null;
}
const titles = (items: Item[]): string[] => items.map((item) => item.title);
const search = async (query: string) => (await visitor.get(`/api/samples?${query}`)).body;
const found = async (query: string): Promise<string[]> => titles((await search(query)).items);

/** Returns the items of all pages. */
async function everyItem(path: string, limit: number): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { status, body } = await visitor.get(
      `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`,
    );
    expect(status).toBe(200);
    items.push(...body.items);
    cursor = body.nextCursor;
  }
  return items;
}

beforeAll(async () => {
  test = await startPublishingApp();
  breaksBooks(test.database, 'what is counted was sold without credits', [
    5,
    7,
    'owned-samples',
    'own-packs',
  ]);
  visitor = test.browser();
  mira = await test.creator('mira.moon@example.com');
  juno = await test.creator('juno@example.com');
  await recordPack(
    test.eventStore,
    { packId: 'night', creatorId: mira.userId, name: 'Night Shift', genre: 'Trap', mood: 'Dark' },
    [
      { title: 'Velvet', bpm: 140, key: 'C# Minor', instruments: ['808', 'Synth'] },
      { title: 'Velvet Hammer', bpm: 142, key: 'Db Minor', instruments: ['808'] },
      { title: 'Crow', bpm: 0, key: null, instruments: ['Field Recording'] },
    ],
    { publishedAt: '2026-11-01T00:00:00.000Z' },
  );
  await recordPack(
    test.eventStore,
    { packId: 'velvetpack', creatorId: juno.userId, name: 'Velvet Rooms', genre: 'Soul', mood: 'Smooth' },
    [
      { title: 'Rhodes Comp', bpm: 90, key: 'C Major', instruments: ['Rhodes', 'Piano'], priceCredits: 2 },
      { title: 'Old VELVET Tape', bpm: 88, key: 'A Minor', instruments: ['Piano', 'Guitar'] },
    ],
    { publishedAt: '2026-11-02T00:00:00.000Z' },
  );
  await recordPack(
    test.eventStore,
    { packId: 'secret', creatorId: juno.userId, name: 'Velvet Draft', genre: 'Pop', mood: 'Dreamy' },
    [{ title: 'Velvet Secret' }],
    { draft: true },
  );
  await recordPurchases(
    test.eventStore,
    { sampleId: 'velvetpack-1', packId: 'velvetpack', creatorId: juno.userId },
    ['a', 'b'],
  );
  await test.settled();
});
afterAll(async () => test?.close());

describe('searching', () => {
  it('[SRCH-03] finds by title, artist, pack, genre, mood and instrument, in any case', async () => {
    expect(await found('q=%20VELVET%20hammer%20')).toEqual(['Velvet Hammer']);
    expect((await found('q=mira')).sort()).toEqual(['Crow', 'Velvet', 'Velvet Hammer']);
    expect((await found('q=night%20SHIFT')).sort()).toEqual(['Crow', 'Velvet', 'Velvet Hammer']);
    expect((await found('q=trap')).sort()).toEqual(['Crow', 'Velvet', 'Velvet Hammer']);
    expect((await found('q=smooth')).sort()).toEqual(['Old VELVET Tape', 'Rhodes Comp']);
    expect(await found('q=field%20rec')).toEqual(['Crow']);
    expect(await found('q=nothing-of-that-kind')).toEqual([]);
    expect(await found('q=%25')).toEqual([]);
    expect(await found('q=%5C')).toEqual([]);
  });

  it('[SRCH-04] puts the exact title first, then titles containing it, then the rest', async () => {
    const items = await found('q=velvet');
    // Among the partial matches, the title with more downloads comes first.
    expect(items).toEqual(['Velvet', 'Old VELVET Tape', 'Velvet Hammer', 'Rhodes Comp']);
  });

  it('[PUB-05] never finds drafts', async () => {
    expect(await found('q=secret')).toEqual([]);
    expect((await visitor.get('/api/samples/secret-0')).status).toBe(404);
    expect((await visitor.get('/api/packs/juno/velvet-draft')).status).toBe(404);
  });

  it('[API-10] answers items, total, facets and nextCursor in the contract’s shape', async () => {
    const body = SamplePage.parse(await search('q=velvet'));
    expect(body).toMatchObject({ total: 4, nextCursor: null });
    expect(body.facets).toEqual({
      key: { 'C# Minor': 1, 'Db Minor': 1, 'C Major': 1, 'A Minor': 1 },
      mood: { Dark: 2, Smooth: 2 },
      genre: { Trap: 2, Soul: 2 },
      kind: { loop: 4 },
      hasMidi: { false: 4 },
      hasStems: { false: 4 },
      credits: { 1: 3, 2: 1 },
      origin: {},
      instrument: { '808': 2, Synth: 1, Rhodes: 1, Piano: 2, Guitar: 1 },
    });
    expect(body.items[0]).toMatchObject({
      id: 'night-0',
      title: 'Velvet',
      creator: {
        id: mira.userId,
        handle: 'mira_moon',
        displayName: 'mira.moon',
        verified: false,
        aiTraining: false,
      },
      pack: { id: 'night', title: 'Night Shift', slug: 'night-shift' },
      bpm: 140,
      key: 'C# Minor',
      mood: 'Dark',
      genre: 'Trap',
      creditCost: 1,
      previewUrl: expect.stringMatching(/^\/media\/previews\//),
    });
    expect(body.items[0]).not.toHaveProperty('owned');
  });

  it('counts each option of a facet as if only its own kind of choice were lifted', async () => {
    const { total, facets } = await search('genre=Trap');
    expect(total).toBe(3);
    expect(facets.genre).toEqual({ Trap: 3, Soul: 2 });
    expect(facets.mood).toEqual({ Dark: 3 });
    expect((await search('q=velvet&key=C%20Major')).facets.key).toMatchObject({ 'C Major': 1, 'A Minor': 1 });
  });

  it('[SRCH-05] yields at most 50 over all pages, each once', async () => {
    await recordPack(
      test.eventStore,
      { packId: 'many', creatorId: juno.userId, name: 'Pebble Box', genre: 'Ambient' },
      Array.from({ length: 70 }, (_, index) => ({
        title: `Pebble ${index}`,
        bpm: index,
        instruments: ['Harp'],
      })),
    );
    await test.settled();
    for (const sort of ['relevance', 'popular', 'new', 'title']) {
      const items = await everyItem(`/api/samples?q=pebble&sort=${sort}`, 7);
      expect(items).toHaveLength(50);
      expect(new Set(items.map((item) => item.id)).size).toBe(50);
    }
    expect((await search('q=pebble&limit=100')).items).toHaveLength(50);
    expect((await search('q=pebble')).total).toBe(50);
  });

  it('[API-09] pages through everything, each once, in any order', async () => {
    const orders = new Set<string>();
    for (const sort of ['relevance', 'popular', 'new', 'title']) {
      const items = await everyItem(`/api/samples?sort=${sort}`, 9);
      expect(items).toHaveLength(75);
      expect(new Set(items.map((item) => item.id)).size).toBe(75);
      orders.add(items.map((item) => item.id).join());
      if (sort === 'title')
        expect(titles(items)).toEqual(
          [...titles(items)].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
        );
    }
    expect(orders.size).toBe(3);
    expect((await visitor.get('/api/samples?cursor=rubbish')).body.code).toBe('InvalidCursor');
  });

  it('[FLT-01] [FLT-03] [FLT-07] [FLT-08] filters by tempo, key, mood, genre and instrument', async () => {
    const q = 'q=velvet';
    expect((await found(`${q}&bpmMin=100`)).sort()).toEqual(['Velvet', 'Velvet Hammer']);
    expect((await found(`${q}&key=${encodeURIComponent('Db Minor')}`)).sort()).toEqual([
      'Velvet',
      'Velvet Hammer',
    ]);
    expect((await found(`${q}&mood=Dark&genre=Soul`)).length).toBe(4);
    expect((await found(`${q}&mood=Dark&genre=Soul&mode=collection`)).length).toBe(0);
    expect(await found(`${q}&instrument=Rhodes&instrument=Piano`)).toEqual(['Rhodes Comp']);
    expect((await found(`${q}&instrument=Rhodes&instrument=Guitar&mode=collection`)).sort()).toEqual([
      'Old VELVET Tape',
      'Rhodes Comp',
    ]);
    expect((await found('collection=artist-Mira_Moon')).length).toBe(3);
    expect((await found('collection=genre-soul')).length).toBe(2);
    expect(await found('collection=nowhere')).toEqual([]);
  });

  it('[FLT-703] [FLT-704] [FLT-705] filters by kind, scale, length, MIDI, stems and price, and counts them', async () => {
    const ambient = 'genre=Ambient&limit=100';
    const { items, total, facets } = await search(`${ambient}&kind=loop`);
    // A bar at these tempos fits into the four seconds of each sample.
    expect(titles(items).sort()).toEqual(Array.from({ length: 11 }, (_, at) => `Pebble ${59 + at}`));
    expect(total).toBe(11);
    expect(facets).toMatchObject({
      kind: { loop: 11, 'one-shot': 59 },
      hasMidi: { false: 11 },
      hasStems: { false: 11 },
      credits: { 1: 11 },
    });
    const totals: [query: string, total: number][] = [
      ['kind=one-shot', 59],
      ['kind=take', 0],
      ['key=Minor', 70],
      ['key=Major', 0],
      ['hasMidi=true', 0],
      ['hasMidi=false&hasStems=false', 70],
      ['creditsMax=1', 70],
      ['secondsMin=4&secondsMax=4', 70],
      ['secondsMin=4.5', 0],
      ['secondsMax=3.9', 0],
    ];
    for (const [query, expected] of totals)
      expect([query, (await search(`${ambient}&${query}`)).total]).toEqual([query, expected]);
  });

  it('[SRCH-706] orders by tempo and length; samples without a tempo come last', async () => {
    for (const q of ['', '&q=pebble']) {
      const ordered = await everyItem(`/api/samples?genre=Ambient&bpmMax=20&sort=tempo${q}`, 9);
      expect(titles(ordered)).toEqual([
        ...Array.from({ length: 20 }, (_, at) => `Pebble ${at + 1}`),
        'Pebble 0',
      ]);
      expect(await everyItem(`/api/samples?genre=Ambient&bpmMax=20&sort=length${q}`, 9)).toHaveLength(21);
    }
  });

  it('[SRCH-710] keeps what fits a project, and orders by how little it changes', async () => {
    const tempos = (items: { bpm: number }[]) => items.map(({ bpm }) => bpm);
    // At its own time from 35 to 47 BPM, at half time from 18 to 23.
    const fitting = [0, 18, 19, 20, 21, 22, 23, ...Array.from({ length: 13 }, (_, at) => 35 + at)];
    for (const order of ['', '&sort=tempo', '&q=pebble', '&sort=fits']) {
      const { items, total } = await search(`genre=Ambient&limit=100&fits=40,${order}`);
      expect(tempos(items).sort((a, b) => a - b)).toEqual(fitting);
      expect(total).toBe(20);
    }
    const ordered = await everyItem('/api/samples?genre=Ambient&sort=fits&project=40,C%20Minor', 9);
    expect(ordered).toHaveLength(70);
    const changes = ordered.map((sample) => changeOf(fitOf(sample, { tempo: 40, key: 'C Minor' })));
    expect(changes).toEqual(changes.toSorted((a, b) => a - b));
    expect(tempos(ordered.slice(0, 3)).sort((a, b) => a - b)).toEqual([0, 20, 40]);
    expect((await search('genre=Ambient&q=pebble&sort=fits&project=40')).items[0]?.bpm).toBe(0);
    expect((await search('genre=Ambient&fits=40,Cm')).total).toBe(
      (await search('genre=Ambient&fits=40,C%20Minor')).total,
    );
  });

  it('[FLT-02] [FLT-04] [FLT-703] refuses keys there are none of, a fourth choice and a turned range', async () => {
    for (const query of [
      'key=H%20Minor',
      'mood=Sleepy',
      'genre=Polka',
      'bpmMin=100&bpmMax=50',
      'bpmMax=201',
      'bpmMin=-1',
      'bpmMin=x',
      'limit=0',
      'limit=101',
      'genre=Trap&genre=Soul&genre=Pop&genre=Latin',
      'sort=random',
      'key=Dorian',
      'kind=chord',
      'hasMidi=perhaps',
      'hasStems=1',
      'creditsMax=0',
      'creditsMax=6',
      'secondsMin=-1',
      'secondsMax=4000',
      'secondsMin=5&secondsMax=4',
      'owned=yes',
      'mode=other',
      'fits=39',
      'fits=fast',
      'fits=90,H%20Minor',
      'project=241,C%20Minor',
      'sort=fits',
    ])
      expect({ query, ...(await visitor.get(`/api/samples?${query}`)) }).toMatchObject({
        query,
        status: 400,
        body: { code: 'InvalidRequest' },
      });
    expect((await visitor.get('/api/samples?genre=Expermental')).status).toBe(200);
  });
});

describe('what a signed-in listener sees besides', () => {
  it('[FLT-706] filters by what the viewer owns', async () => {
    const listener = await test.signedUp();
    await test.database.pool.query(
      `insert into owned_sample (buyer_id, sample_id, version, purchase_id, pack_id, creator_id, price_credits, certificate_id, audio_version, purchased_at, returned_at)
       select $1, 'many-' || n, 1, 'owned-' || n, 'many', 'y', 1, 'z', 1, now(), case n when 4 then now() end
         from generate_series(3, 4) as n`,
      [listener.userId],
    );
    for (const order of ['', '&sort=tempo', '&q=pebble']) {
      const asked = async (owned: boolean) =>
        (await listener.get(`/api/samples?genre=Ambient&bpmMax=20&owned=${owned}${order}`)).body;
      expect(titles((await asked(true)).items)).toEqual(['Pebble 3']);
      expect(await asked(false)).toMatchObject({ total: 20, facets: { genre: { Ambient: 20 } } });
    }
    expect(await visitor.get('/api/samples?owned=true')).toMatchObject({
      status: 401,
      body: { code: 'NotSignedIn' },
    });
  });

  it('[WEB-20] knows what is saved and owned, the pack itself too', async () => {
    const listener = await test.signedUp();
    await test.database.pool.query(
      `insert into saved_item (user_id, item_id, item, created_at) values ($1, 'night-0', '{}', now())`,
      [listener.userId],
    );
    await test.database.pool.query(
      `insert into owned_sample (buyer_id, sample_id, version, purchase_id, pack_id, creator_id, price_credits, certificate_id, audio_version, purchased_at)
       values ($1, 'night-1', 1, 'x', 'night', 'y', 1, 'z', 1, now())`,
      [listener.userId],
    );
    const address = '/api/packs/mira_moon/night-shift';
    expect((await listener.get(address)).body.saved).toBe(false);
    await test.database.pool.query(
      `insert into saved_item (user_id, item_id, item, created_at) values ($1, 'night', '{}', now())`,
      [listener.userId],
    );
    expect((await listener.get(address)).body.saved).toBe(true);
    expect((await visitor.get(address)).body).not.toHaveProperty('saved');
    expect((await listener.get(address)).body.samples).toMatchObject([
      { id: 'night-0', saved: true, owned: false },
      { id: 'night-1', saved: false, owned: true },
      { id: 'night-2', saved: false, owned: false },
    ]);
  });
});

describe('packs', () => {
  it('[SND-01] [PACK-05] are listed by sample count, newness or downloads', async () => {
    const ids = async (sort: string) =>
      (await everyItem(`/api/packs?sort=${sort}`, 2)).map((pack) => pack.id);
    expect(await ids('samples')).toEqual(['many', 'night', 'velvetpack']);
    expect(await ids('new')).toEqual(['many', 'velvetpack', 'night']);
    expect((await ids('popular'))[0]).toBe('velvetpack');
    expect((await visitor.get('/api/packs?genre=Soul')).body.items).toMatchObject([{ id: 'velvetpack' }]);
    const body = PackPage.parse((await visitor.get('/api/packs')).body);
    expect(body.items[1]).toEqual({
      id: 'night',
      title: 'Night Shift',
      slug: 'night-shift',
      genre: 'Trap',
      mood: 'Dark',
      sampleCount: 3,
      artworkUrl: null,
      description: 'Worn felt',
      publishedAt: '2026-11-01T00:00:00.000Z',
      creator: {
        id: mira.userId,
        handle: 'mira_moon',
        displayName: 'mira.moon',
        avatarUrl: null,
        verified: false,
        aiTraining: false,
      },
    });
  });

  it('[PACK-03] open by creator and slug, with samples and what they cost together', async () => {
    const { status, body } = await visitor.get('/api/packs/juno/velvet-rooms');
    expect(status).toBe(200);
    expect(PackDetail.parse(body)).toMatchObject({
      id: 'velvetpack',
      totalCostCredits: 3,
      packCostCredits: null,
      samples: [{ title: 'Rhodes Comp' }, { title: 'Old VELVET Tape' }],
    });
    for (const path of ['juno/nothing', 'nobody/velvet-rooms', 'mira_moon/velvet-rooms', 'juno/velvetpack'])
      expect((await visitor.get(`/api/packs/${path}`)).status).toBe(404);
  });

  it('[PACK-04] redirect from former slugs and handles', async () => {
    const pack = (await juno.post('/api/creator/packs', { name: 'First Name', genre: 'Pop', mood: 'Chill' }))
      .body;
    await recordRename(pack.id, 'Second Name');
    const moved = await visitor.get('/api/packs/Juno/first-name');
    expect(moved.status).toBe(301);
    expect(moved.headers.get('location')).toBe('/api/packs/juno/second-name');
    expect((await visitor.get('/api/packs/juno/second-name')).status).toBe(200);
    expect(
      (await juno.post('/api/creator/packs', { name: 'First Name', genre: 'Pop', mood: 'Chill' })).body.slug,
    ).toBe('first-name-2');
  });

  async function recordRename(packId: string, name: string): Promise<void> {
    const renamed = await juno.patch(`/api/creator/packs/${packId}`, { name });
    expect(renamed.status).toBe(200);
    await test.database.pool.query(
      `update pack set status = 'published', published_at = created_at where pack_id = $1`,
      [packId],
    );
  }
});

describe('pages', () => {
  const DAY_MS = 24 * 60 * 60_000;
  const buy = (sampleId: string, buyers: number) =>
    recordPurchases(
      test.eventStore,
      { sampleId, packId: sampleId.replace(/-\d+$/, ''), creatorId: juno.userId },
      Array.from({ length: buyers }, (_, n) => `late-${n}`),
    );
  const sounds = async () => SoundsPage.parse((await visitor.get('/api/sounds')).body);

  it('[SND-02] Sounds shows rows that are what they are called, and none with too little of its own', async () => {
    // A single bought pack is too little for a ranking.
    expect(await sounds()).toMatchObject({ popularThisWeek: [], trendingGenres: [] });
    for (let index = 0; index < 40; index++)
      await recordPack(
        test.eventStore,
        {
          packId: `row-${index}`,
          creatorId: mira.userId,
          genre: index % 2 ? 'Drill' : 'Latin',
          mood: 'Intense',
        },
        Array.from({ length: 2 + (index % 3) }, () => ({ title: 'Row', instruments: ['Kick'] })),
        { publishedAt: `2026-11-${String(3 + (index % 17)).padStart(2, '0')}T0${index % 7}:00:00.000Z` },
      );
    // Many downloads ten days ago, some more five days ago and yesterday.
    await buy('row-0-0', 9);
    test.clock.advance(5 * DAY_MS);
    await buy('row-1-0', 3);
    test.clock.advance(4 * DAY_MS);
    await buy('row-3-0', 5);
    await buy('velvetpack-0', 3);
    test.clock.advance(DAY_MS);
    await test.settled();
    const body = await sounds();
    const newest = (await everyItem('/api/packs?sort=new', 100)) as (Item & { publishedAt: string })[];
    expect(body.newReleases.map(({ id }) => id)).toEqual(newest.slice(0, 12).map(({ id }) => id));
    const days = body.newReleases.map(({ publishedAt }) => publishedAt as string);
    expect(days).toEqual(days.toSorted().toReversed());
    expect(body.popularThisWeek.map(({ id }) => id)).toEqual(['row-3', 'velvetpack', 'row-1']);
    expect(body.trendingGenres.map(({ slug }) => slug)).toEqual(['genre-drill', 'genre-soul']);
    expect(body.featuredCollections.map(({ slug, samples }) => `${slug} ${samples}`)).toEqual([
      'artist-mira_moon 122',
      'artist-juno 72',
      'genre-latin 60',
      'genre-drill 59',
    ]);
  });

  it('[SND-05] an administrator chooses the collections that are featured', async () => {
    const path = '/api/admin/featured-collections';
    expect((await (await test.signedUp()).put(path, { slugs: [] })).status).toBe(403);
    const admin = await test.signedUp();
    await grantRoles(test.database, admin.userId, 'admin');
    const unknown = await admin.put(path, { slugs: ['genre-soul', 'genre-none'] });
    expect([unknown.status, unknown.body.errors[0].path]).toEqual([400, 'slugs.1']);
    const slugs = ['genre-soul', 'artist-juno'];
    expect((await admin.put(path, { slugs })).body).toEqual({ slugs });
    expect((await admin.get(path)).body).toEqual({ slugs });
    expect((await sounds()).featuredCollections.map(({ slug }) => slug)).toEqual(slugs);
    await admin.put(path, { slugs: [] });
    expect((await sounds()).featuredCollections[0]?.slug).toBe('artist-mira_moon');
  });

  it('[API-09] Home and Discover answer their shapes', async () => {
    const home = HomePage.parse((await visitor.get('/api/home')).body);
    expect(home.topCreators[0]).toMatchObject({ handle: 'juno', downloads: 22 });
    expect(home.featuredPacks).toHaveLength(4);
    // Key and tempo come from the first pack's samples.
    const front = home.featuredPacks[0];
    const { samples } = PackDetail.parse(
      (await visitor.get(`/api/packs/${front?.creator.handle}/${front?.slug}`)).body,
    );
    expect(samples.map(({ key }) => key)).toContain(home.hero.key);
    expect(samples.map(({ bpm }) => bpm)).toContain(home.hero.bpm);
    const discover = DiscoverPage.parse((await visitor.get('/api/discover')).body);
    expect(discover.trending).toHaveLength(10);
    expect(discover.trending.slice(0, 1).map(({ id }) => id)).toEqual(['row-3-0']);
  });

  it('[COLL-02] [COLL-03] collections are all, each artist and each genre', async () => {
    const body = CollectionPage.parse((await visitor.get('/api/collections')).body);
    const slugs = body.items.map((each) => each.slug);
    expect(slugs).toEqual([
      'all',
      'artist-juno',
      'artist-mira_moon',
      ...slugs.filter((slug) => slug.startsWith('genre-')),
    ]);
    expect(slugs).toContain('genre-trap');
    for (const [tab, category] of [
      ['sounds', 'Sounds'],
      ['artists', 'Artists'],
      ['genres', 'Genres'],
    ])
      for (const each of (await everyItem(`/api/collections?tab=${tab}`, 1)) as Array<
        Item & { category?: string }
      >)
        expect(each.category).toBe(category);
    expect((await visitor.get('/api/collections/genre-trap')).body).toMatchObject({
      name: 'Trap',
      samples: 3,
      packs: [{ id: 'night' }],
    });
    expect((await visitor.get('/api/collections/artist-mira_moon')).body.packs).toHaveLength(41);
    expect((await visitor.get('/api/collections/genre-polka')).status).toBe(404);
  });

  it('a creator’s page has packs and at most 10 samples; former handles redirect', async () => {
    const body = CreatorProfile.parse((await visitor.get('/api/creators/mira_moon')).body);
    expect(body).toMatchObject({ totalPacks: 41, isTopSeller: true, displayName: 'mira.moon' });
    expect(body.samples).toHaveLength(10);
    expect((await visitor.get('/api/creators/MIRA_moon')).headers.get('location')).toBe(
      '/api/creators/mira_moon',
    );
    expect((await visitor.get('/api/creators/nobody')).status).toBe(404);
  });

  it('[API-10] similar samples say why', async () => {
    const { items } = SimilarSamples.parse((await visitor.get('/api/samples/night-0/similar')).body);
    expect(items[0]).toMatchObject({
      id: 'night-1',
      reasons: ['Same key', 'Fits the tempo', 'Same genre', 'Also has 808'],
    });
    expect(items.map((item) => item.id)).not.toContain('night-0');
    expect((await visitor.get('/api/samples/nope/similar')).status).toBe(404);
  });

  it('[SBOX-01] suggests from two letters on, at most five, of every kind', async () => {
    const suggest = async (q: string) => (await visitor.get(`/api/search/suggestions?q=${q}`)).body.items;
    expect(await suggest('v')).toEqual([]);
    expect(await suggest('velvet')).toHaveLength(4);
    expect(await suggest('juno')).toEqual([
      { kind: 'creator', label: 'juno', href: '/creator/juno', why: 'Creator' },
    ]);
    expect(await suggest('trap')).toEqual([
      { kind: 'genre', label: 'Trap', href: '/collection/genre-trap', why: 'Genre' },
    ]);
    expect(await suggest('night')).toEqual([
      { kind: 'pack', label: 'Night Shift', href: '/pack/night-shift/mira_moon', why: 'Pack' },
    ]);
    expect((await suggest('ro')).length).toBe(5);
    // A name that every JavaScript object has.
    expect(await suggest('constructor')).toEqual([]);
  });

  it('[SWP-07] swipe deals random samples of a genre, none twice', async () => {
    const { items } = (await visitor.get('/api/swipe?genre=Trap&limit=50')).body;
    expect(items.map((item: Item) => item.id).sort()).toEqual(['night-0', 'night-1', 'night-2']);
    expect((await visitor.get('/api/swipe?genre=Trap&exclude=night-0,night-1')).body.items).toMatchObject([
      { id: 'night-2' },
    ]);
    const deals = new Set<string>();
    for (let deal = 0; deal < 8; deal++)
      deals.add((await visitor.get('/api/swipe?limit=5')).body.items.map((item: Item) => item.id).join());
    expect(deals.size).toBeGreaterThan(4);
  });
});
