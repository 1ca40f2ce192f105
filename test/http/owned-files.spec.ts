import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import type { HttpClient } from '../support/http-client.js';
import { breaksBooks } from '../support/invariants.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { stock } from '../support/stock.js';
import { readZip } from '../support/zip.js';
import { LIMIT_MS } from '../support/until.js';

let product: TestProduct;
let creator: HttpClient;
let ada: HttpClient;
let samples: string[];
let round = 0;

beforeAll(async () => {
  product = await startTestProduct();
  creator = await product.signedUp();
});
afterAll(() => product?.stop());
beforeEach(async () => {
  round += 1;
  const { database, storage, creditExecutor } = product.resources;
  samples = await stock(database, 4, { prefix: `z${round}-`, creatorId: creator.userId });
  for (const id of samples) await storage.put(`Users/x/${id}`, bytesOf(id), { contentType: 'audio/wav' });
  ada = await product.signedUp();
  const grant = { userId: ada.userId, grantId: randomUUID(), credits: 10, grantedAt: new Date() };
  await creditExecutor.grantPromotion(grant, { correlationId: 'test' });
});

const bytesOf = (id: string) => Buffer.from(`RIFF ${id}`.repeat(1_000));
const sample = (n = 0) => samples[n] as string;
const buy = (sampleId: string, who = ada) =>
  who.post(
    '/api/downloads',
    { sampleId, expectedCredits: 1 },
    { headers: { 'idempotency-key': randomUUID() } },
  );
const zipPath = (ids: string[]) => `/api/library/downloads.zip?ids=${ids.join(',')}`;
const sql = (text: string, values: unknown[]) => product.resources.database.pool.query(text, values);

async function zipOf(who: HttpClient, ids: string[]) {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await fetch(product.url + zipPath(ids), { headers: { cookie } });
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
}

const attach = async (sampleId: string) => {
  const { storage } = product.resources;
  for (const [kind, file] of [
    ['stems', 'a.zip'],
    ['midi', 'a.mid'],
  ] as const) {
    const path = `Packs/p/${kind}/${sampleId}-${file}`;
    await sql(`update sample set has_${kind} = true, ${kind} = $2 where sample_id = $1`, [
      sampleId,
      JSON.stringify({ path }),
    ]);
    await storage.put(`Users/${creator.userId}/${path}`, Buffer.from(kind), {
      contentType: 'application/zip',
    });
  }
};
const studio = (status: string, plan = 'studio') => {
  breaksBooks(product.resources.database, 'nobody paid for the plans', ['subscriptions']);
  return sql(
    `insert into subscription (user_id, subscription_id, plan, status, current_period_end, version) values ($1, $1, $2, $3, now() + interval '9 days', 1)
     on conflict (user_id) do update set plan = excluded.plan, status = excluded.status`,
    [ada.userId, plan, status],
  );
};

describe('downloads as one archive', () => {
  it('[LIB-05] delivers exactly the owned samples asked for, with manifest and certificates', async () => {
    for (const n of [0, 1, 2]) await buy(sample(n));
    await sql(`update sample set title = 'Felt Keys' where sample_id = any($1)`, [[sample(0), sample(1)]]);
    const { answer, bytes } = await zipOf(ada, [sample(0), sample(1), sample(0)]);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; .*2 samples\.zip/);
    const entries = readZip(bytes);
    const manifest = JSON.parse(String(entries.get('manifest.json')));
    expect(manifest.samples.map((row: { sampleId: string }) => row.sampleId)).toEqual([sample(0), sample(1)]);
    const names = manifest.samples.map((row: { file: string }) => row.file);
    // Two samples have the same title, so the files get different names.
    expect(names[1]).toBe(names[0].replace('.wav', ' (2).wav'));
    for (const [n, row] of manifest.samples.entries()) {
      expect(entries.get(row.file)?.equals(bytesOf(sample(n)))).toBe(true);
      const certificate = JSON.parse(String(entries.get(row.certificate)));
      expect(certificate).toMatchObject({ id: row.certificateId, sample: { id: sample(n) } });
      expect((await ada.post('/api/certificates/verify', certificate)).body.valid).toBe(true);
      const pdf = entries.get(row.certificate.replace('.json', '.pdf'));
      expect(pdf?.subarray(0, 5).toString()).toBe('%PDF-');
    }
    expect([...entries.keys()].filter((name) => name.startsWith('samples/'))).toEqual(names);
    expect((await ada.get('/api/credits')).body.balance).toBe(7);
  });

  it('[LIB-05] is refused whole when one is not owned', async () => {
    await buy(sample(0));
    for (const [stranger, code] of [
      [sample(3), 'SampleNotOwned'],
      ['nothing', 'SampleNotOwned'],
    ] as const) {
      const { status, body } = await ada.get(zipPath([sample(0), stranger]));
      expect([status, body.code, body.sampleIds]).toEqual([403, code, [stranger]]);
    }
    expect((await ada.get('/api/credits')).body.balance).toBe(9);
    expect((await creator.get(zipPath([sample(0)]))).status).toBe(403);
    expect((await product.browser().get(zipPath([sample(0)]))).status).toBe(401);
  });

  it('[LIB-06] names in the archive what it cannot hold, and is refused when nothing is left', async () => {
    for (const n of [0, 1, 2]) await buy(sample(n));
    await sql(`update sample set title = 'Felt Keys' where sample_id = $1`, [sample(0)]);
    await product.resources.storage.delete(`Users/x/${sample(0)}`);
    expect((await ada.get(zipPath([sample(0)]))).body.code).toBe('DownloadUnavailable');
    await sql('update sample set taken_down = true where sample_id = $1', [sample(1)]);
    expect((await ada.get(zipPath([sample(1)]))).status).toBe(410);
    const entries = readZip((await zipOf(ada, samples.slice(0, 3))).bytes);
    expect([...entries.keys()].filter((name) => name.startsWith('samples/'))).toHaveLength(1);
    expect(String(entries.get('not included.txt'))).toContain(
      'Felt Keys: without the sound, the file is missing',
    );
    expect(String(entries.get('not included.txt'))).toContain('it was taken down');
  });

  it.each(['', '?ids=', '?ids=..%2F..', `?ids=${Array.from({ length: 201 }, (_, n) => n).join(',')}`])(
    'refuses %s',
    async (query) => {
      expect((await ada.get(`/api/library/downloads.zip${query}`)).status).toBe(400);
    },
  );

  it('names files so that no title leads elsewhere', async () => {
    await buy(sample(0));
    await sql(`update sample set title = $2 where sample_id = $1`, [sample(0), '../../..\\evil\u202e: ']);
    const names = [...readZip((await zipOf(ada, [sample(0)])).bytes).keys()];
    for (const name of names)
      expect(name).toMatch(/^(manifest\.json|(samples|certificates)\/[^/\\:\u202e]+)$/);
  });
});

describe('names of files', () => {
  const name = (template: string) => ada.put('/api/library/file-names', { template });

  it('[DL-703, DL-704] follow the listener’s template in downloads, archives and attached files', async () => {
    await sql(`update sample set title = 'Felt Keys', key = 'C Minor' where sample_id = any($1)`, [samples]);
    await sql(`update sample set bpm = 0, key = null, format = 'mp3' where sample_id = $1`, [sample(1)]);
    const { rows } = await sql('select display_name from user_account where user_id = $1', [creator.userId]);
    const by = rows[0].display_name as string;
    await attach(sample(0));
    expect((await buy(sample(0))).body.download.filename).toBe(`${by} - Felt Keys.wav`);
    expect((await ada.get('/api/library/file-names')).body).toEqual({ template: '{creator} - {title}' });
    expect((await name('{title} ({bpm} BPM, {key}) {kind}')).status).toBe(204);
    await buy(sample(1));
    expect((await buy(sample(0))).body.download.filename).toBe('Felt Keys (90 BPM, C Minor) one-shot.wav');
    expect((await ada.get(`/api/downloads/${sample(0)}/midi`)).body.download.filename).toBe(
      'Felt Keys (90 BPM, C Minor) one-shot.mid',
    );
    await name('{title}');
    const entries = [...readZip((await zipOf(ada, [sample(0), sample(1)])).bytes).keys()];
    expect(entries.filter((entry) => /^(samples|midi)/.test(entry))).toEqual([
      'samples/Felt Keys.wav',
      'midi/Felt Keys.mid',
      'samples/Felt Keys (2).mp3',
    ]);
    const { headers } = await fetch(product.url + `/api/downloads/${sample(0)}/file`, {
      headers: { cookie: [...ada.cookies].map((pair) => pair.join('=')).join('; ') },
    });
    expect(headers.get('content-disposition')).toContain('Felt Keys.wav');
    expect((await ada.get('/api/me/export')).body.fileNames).toEqual({ template: '{title}' });
  });

  it.each(['', 'sample', '{tempo}', '{title', 'x'.repeat(201)])(
    '[DL-704] refuses the template %j',
    async (it) => {
      expect(await name(it)).toMatchObject({ status: 400, body: { errors: [{ path: 'template' }] } });
    },
  );

  it('[DL-705] lists what a program needs to name and verify a file', async () => {
    await attach(sample(0));
    await buy(sample(0));
    expect((await ada.get('/api/library/downloads')).body.items).toMatchObject([
      {
        sampleId: sample(0),
        sha256: 'a'.repeat(64),
        bpm: 90,
        key: null,
        genre: 'Soul',
        mood: 'Chill',
        instruments: [],
        kind: 'one-shot',
        purchasedAt: expect.any(String),
        midi: { sha256: null, sizeBytes: null },
        stems: { sha256: null, sizeBytes: null },
      },
    ]);
  });
});

describe('the original at an address of its own', () => {
  const filePath = (id: string) => `/api/downloads/${id}/file`;
  const follow = async (who: HttpClient, id: string) => {
    const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return fetch(product.url + filePath(id), { headers: { cookie } });
  };

  it('[DL-04] leads its owner to the very file under its name, free however often', async () => {
    await buy(sample(0));
    for (let time = 0; time < 2; time += 1) {
      const answer = await follow(ada, sample(0));
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=".+\.wav"/);
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytesOf(sample(0)))).toBe(true);
    }
    expect((await ada.get('/api/credits')).body.balance).toBe(9);
    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const redirect = await fetch(product.url + filePath(sample(0)), {
      headers: { cookie },
      redirect: 'manual',
    });
    expect([redirect.status, redirect.headers.get('cache-control')]).toEqual([302, 'private, no-store']);
  });

  it('[DL-32] is fetched without a trace, alone or in an archive, however often', async () => {
    await buy(sample(0));
    const { rows: tables } = await sql(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('session', 'rate_limit', 'checkpoint')`,
      [],
    );
    const contents = async () => {
      const sizes: Record<string, string> = {};
      for (const { name } of tables as { name: string }[]) {
        const found = await sql(
          `select md5(string_agg(t::text, '|' order by t::text)) as sum from "${name}" t`,
          [],
        );
        sizes[name] = (found.rows as { sum: string }[])[0]?.sum as string;
      }
      return sizes;
    };
    // The certificate is written once, by the projection or the first reader.
    await zipOf(ada, [sample(0)]);
    // The journal and other read models follow the purchase a moment later.
    const { eventStore, logSubscriptions } = product.resources;
    expect(await logSubscriptions.caughtUp((await eventStore.head()).position, LIMIT_MS)).toBe(true);
    const before = await contents();
    for (let time = 0; time < 3; time += 1) {
      expect((await ada.get(filePath(sample(0)))).status).toBe(302);
      expect((await zipOf(ada, [sample(0)])).answer.status).toBe(200);
    }
    expect(await contents()).toEqual(before);
  });

  it('[DL-13] refuses whoever has not bought it, and charges nothing', async () => {
    await buy(sample(0));
    const stranger = await product.signedUp();
    for (const [who, id] of [
      [stranger, sample(0)],
      [ada, sample(1)],
      [ada, 'nothing'],
    ] as const) {
      const { status, body } = await who.get(filePath(id));
      expect([status, body.code]).toEqual([403, 'SampleNotOwned']);
    }
    expect((await product.browser().get(filePath(sample(0)))).status).toBe(401);
    expect((await ada.get('/api/credits')).body.balance).toBe(9);
  });

  it('is gone with a takedown, and says so when the file is not there', async () => {
    await buy(sample(0));
    await buy(sample(1));
    await product.resources.storage.delete(`Users/x/${sample(0)}`);
    expect((await ada.get(filePath(sample(0)))).body.code).toBe('DownloadUnavailable');
    await sql('update sample set taken_down = true where sample_id = $1', [sample(1)]);
    expect((await ada.get(filePath(sample(1)))).status).toBe(410);
  });
});

describe('stems and MIDI', () => {
  it('[DL-16] come with the sample, stems to an active Studio plan', async () => {
    await attach(sample());
    const stems = `/api/downloads/${sample()}/stems`;
    const midi = `/api/downloads/${sample()}/midi`;
    for (const path of [stems, midi]) expect((await ada.get(path)).body.code).toBe('SampleNotOwned');
    await buy(sample());
    const file = (await ada.get(midi)).body.download;
    expect(file.filename).toMatch(/\.mid$/);
    expect(await (await fetch(file.url)).text()).toBe('midi');

    const refused = await ada.get(stems);
    expect([refused.status, refused.body.code]).toEqual([403, 'StudioPlanRequired']);
    for (const [status, plan] of [
      ['past_due', 'studio'],
      ['canceled', 'studio'],
      ['active', 'premium'],
    ] as const) {
      await studio(status, plan);
      expect((await ada.get(stems)).status).toBe(403);
    }
    await studio('active');
    const { download } = (await ada.get(stems)).body;
    expect(download.filename).toMatch(/\(stems\)\.zip$/);
    expect(await (await fetch(download.url)).text()).toBe('stems');
  });

  it('[DL-402] are named by the purchase: what may be fetched, and what needs the Studio plan', async () => {
    const get = async (n: number) => (await buy(sample(n))).body;
    expect(await get(1)).toMatchObject({ attached: [], leftOut: [] });
    await attach(sample());
    const [stems] = (await get(0)).leftOut;
    expect(stems).toMatchObject({ sampleId: sample(), what: 'stems', reason: 'needs-studio' });
    expect((await get(0)).attached).toEqual(['midi']);
    await studio('active');
    expect(await get(0)).toMatchObject({ attached: ['midi', 'stems'], leftOut: [] });
  });

  it('are not there for samples without, nor after a takedown', async () => {
    await buy(sample());
    expect((await ada.get(`/api/downloads/${sample()}/midi`)).body.code).toBe('DownloadUnavailable');
    await attach(sample());
    await sql('update sample set taken_down = true where sample_id = $1', [sample()]);
    expect((await ada.get(`/api/downloads/${sample()}/midi`)).status).toBe(410);
  });
});

describe('archives by ticket', () => {
  const archives = '/api/library/archives';
  const fetchOf = (who: HttpClient, path: string) => {
    const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return fetch(product.url + path, { headers: { cookie } });
  };

  it('[LIB-06] bring MIDI, stems in Studio and certificates, under the name asked for, and tell how far they came', async () => {
    for (const n of [0, 1]) await buy(sample(n));
    await attach(sample(0));
    const asked = { sampleIds: [sample(0), sample(1)], name: 'Stairwell: Breaks' };
    const without = await ada.post(archives, asked);
    expect([without.status, without.body.filename]).toEqual([201, 'Stairwell Breaks.zip']);
    expect(without.body).toMatchObject({
      sampleCount: 2,
      leftOut: [{ sampleId: sample(0), what: 'stems', reason: 'needs-studio' }],
    });
    const plain = readZip(Buffer.from(await (await fetchOf(ada, without.body.url)).arrayBuffer()));
    expect(String(plain.get('not included.txt'))).toContain(
      'without the stems, stems come with an active Studio plan',
    );
    expect([...plain.keys()].filter((name) => name.startsWith('stems/'))).toEqual([]);

    await studio('active');
    const { id, url, leftOut } = (await ada.post(archives, asked)).body;
    expect(leftOut).toEqual([]);
    const status = async () => (await ada.get(`${archives}/${id}`)).body.status;
    expect(await status()).toBe('waiting');
    const answer = await fetchOf(ada, url);
    expect(answer.headers.get('content-disposition')).toContain('Stairwell Breaks.zip');
    const entries = readZip(Buffer.from(await answer.arrayBuffer()));
    const [row] = JSON.parse(String(entries.get('manifest.json'))).samples;
    expect([String(entries.get(row.midi)), String(entries.get(row.stems))]).toEqual(['midi', 'stems']);
    expect(entries.size).toBe(1 + 2 * 3 + 2);
    expect(entries.has('not included.txt')).toBe(false);
    while ((await status()) === 'sending') await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await status()).toBe('sent');
    expect((await ada.get('/api/credits')).body.balance).toBe(8);
  });

  it('[LIB-06] take more samples than an address could name', async () => {
    const { database, storage, creditExecutor } = product.resources;
    const many = await stock(database, 201, { prefix: `many${round}-`, creatorId: creator.userId });
    for (const id of many) await storage.put(`Users/x/${id}`, bytesOf(id), { contentType: 'audio/wav' });
    const grant = { userId: ada.userId, grantId: randomUUID(), credits: 300, grantedAt: new Date() };
    await creditExecutor.grantPromotion(grant, { correlationId: 'test' });
    for (const id of many) await buy(id);
    const { status, body } = await ada.post(archives, { sampleIds: many });
    expect([status, body.sampleCount]).toEqual([201, 201]);
  });

  it('[LIB-06] stream at the pace of a slow reader, without being gathered first', async () => {
    const sizeBytes = 32 * 1024 * 1024;
    const large = samples.slice(0, 3);
    for (const id of large) {
      await buy(id);
      await product.resources.storage.put(`Users/x/${id}`, Buffer.alloc(sizeBytes, 7), {
        contentType: 'audio/wav',
      });
    }
    const { id, url } = (await ada.post(archives, { sampleIds: large })).body;
    const { storage } = product.resources;
    const opened = jest.spyOn(storage, 'get');
    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(product.url + url, { headers: { cookie } }, resolve).once('error', reject);
    });
    const chunks: Buffer[] = [];
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      if (chunks.length > 1) continue;
      // While the client does not read, the first file is not read to its end, and no other file is opened.
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(opened).toHaveBeenCalledTimes(1);
    }
    expect(opened).toHaveBeenCalledTimes(3);
    opened.mockRestore();
    const entries = readZip(Buffer.concat(chunks));
    const sizes = [...entries]
      .filter(([name]) => name.startsWith('samples/'))
      .map(([, bytes]) => bytes.length);
    expect(sizes).toEqual([sizeBytes, sizeBytes, sizeBytes]);
    const status = async () => (await ada.get(`${archives}/${id}`)).body.status;
    while ((await status()) === 'sending') await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await status()).toBe('sent');
  });

  it('[LIB-06] are for whoever asked, and broken off when their reader goes away', async () => {
    await buy(sample(0));
    const { storage } = product.resources;
    await storage.put(`Users/x/${sample(0)}`, Buffer.alloc(32 * 1024 * 1024), { contentType: 'audio/wav' });
    const { id, url } = (await ada.post(archives, { sampleIds: [sample(0)] })).body;
    const stranger = await product.signedUp();
    expect((await stranger.get(url)).status).toBe(404);
    expect((await stranger.get(`${archives}/${id}`)).status).toBe(404);
    expect((await product.browser().get(url)).status).toBe(401);
    for (const body of [{}, { sampleIds: [] }, { sampleIds: ['..'] }, { sampleIds: Array(1_001).fill('x') }])
      expect((await ada.post(archives, body)).status).toBe(400);
    expect((await ada.post(archives, { sampleIds: [sample(3)] })).body.code).toBe('SampleNotOwned');

    const status = async () => (await ada.get(`${archives}/${id}`)).body.status;
    const reader = (await fetchOf(ada, url)).body?.getReader();
    await reader?.read();
    expect(await status()).toBe('sending');
    await reader?.cancel();
    while ((await status()) === 'sending') await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await status()).toBe('broken');
    // A retry with the same ticket is free.
    const again = readZip(Buffer.from(await (await fetchOf(ada, url)).arrayBuffer()));
    expect([...again.values()].some((bytes) => bytes.length === 32 * 1024 * 1024)).toBe(true);
    await sql(`update archive_ticket set expires_at = now() - interval '1 minute' where ticket_id = $1`, [
      id,
    ]);
    expect((await ada.get(url)).status).toBe(404);
  });
});

it('bytes of what was bought are what the manifest says', async () => {
  await buy(sample());
  const sha256 = createHash('sha256').update(bytesOf(sample())).digest('hex');
  await sql('update sample set original_sha256 = $2 where sample_id = $1', [sample(), sha256]);
  const entries = readZip((await zipOf(ada, [sample()])).bytes);
  const [row] = JSON.parse(String(entries.get('manifest.json'))).samples;
  expect(
    createHash('sha256')
      .update(entries.get(row.file) as Buffer)
      .digest('hex'),
  ).toBe(row.sha256);
});
