import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { ENCODE } from '../../application/publishing/samples/encodings.js';
import { UnfinishedUploads } from '../../application/publishing/samples/direct-uploads.js';
import { AUDIO_LIMIT_BYTES } from '../../application/publishing/values.js';
import { MultipartUploads } from '../../application/storage/multipart-uploads.js';
import { ObjectStorage } from '../../application/storage/object-storage.js';
import { startProduct, type Product } from '../../bootstrap/product.js';
import { sine, wavFile } from '../audio/synthesis.js';
import { HttpClient } from '../support/http-client.js';
import { expectLog } from '../support/log.js';
import { jobsDone, startTestProduct, type TestProduct } from '../support/product.js';
import { draftPack, packOf, sha256, wav } from '../support/publishing.js';

const WEEK_MS = 7 * 86_400_000;

interface Parts {
  partBytes: number;
  missing: Array<{ number: number; url: string }>;
}

/** Asks for the upload addresses of a file, as a browser does. */
async function begin(
  client: HttpClient,
  packId: string,
  uploadId: string,
  file: { filename?: string; sizeBytes: number; sampleId?: string },
) {
  return client.put(`/api/creator/packs/${packId}/uploads/${uploadId}`, { filename: 'Kick.wav', ...file });
}

const bytesOf = (bytes: Buffer, { partBytes }: Parts, number: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(bytes.subarray((number - 1) * partBytes, number * partBytes));

async function send(bytes: Buffer, parts: Parts, numbers = parts.missing.map(({ number }) => number)) {
  for (const { number, url } of parts.missing)
    if (numbers.includes(number))
      expect((await fetch(url, { method: 'PUT', body: bytesOf(bytes, parts, number) })).status).toBe(200);
}

/** Sends the form, with the upload's id instead of the file. */
function finish(client: HttpClient, path: string, uploadId: string, meta: object = {}, method = 'post') {
  const form = new FormData();
  form.set('meta', JSON.stringify({ uploadId, ...meta }));
  form.set('stored', uploadId);
  return client[method as 'post' | 'put'](path, undefined, { raw: form });
}

it('[OPS-240] without a bucket the file is sent to the server, after the same checks', async () => {
  const product = await startTestProduct();
  try {
    const ada = await product.signedUp();
    await ada.post('/api/creator/application', {});
    const pack = await draftPack(ada);
    const id = randomUUID();
    expect((await begin(ada, pack.id, id, { sizeBytes: 1_000 })).body).toEqual({ parts: null });
    const samples = `/api/creator/packs/${pack.id}/samples`;
    expect((await finish(ada, samples, id)).body.code).toBe('UploadInterrupted');
  } finally {
    await product.stop();
  }
});

const endpoint = process.env.TEST_S3_ENDPOINT;
// Without a bucket, the test run itself lists what it skipped and why.
if (endpoint)
  describe('with a bucket', () => {
    let one: TestProduct;
    let two: Product;
    let ada: HttpClient;
    let samples: string;
    let packId: string;
    const dataDir = mkdtempSync(join(tmpdir(), 'offcut-second-node-'));

    beforeAll(async () => {
      expectLog(/^warn \[Payments\] this process has a payment simulator of its own/);
      one = await startTestProduct({
        WORK_KINDS: 'mail,encode',
        S3_ENDPOINT: endpoint,
        S3_BUCKET: `direct-${randomBytes(4).toString('hex')}`,
        S3_ACCESS_KEY_ID: 'testkey',
        S3_SECRET_ACCESS_KEY: 'testsecret',
      });
      const { config } = one.resources;
      two = await startProduct({
        ...config,
        port: 0,
        publicUrl: 'http://localhost:0',
        role: 'api',
        dataDir,
      });
      ada = await one.signedUp();
      await ada.post('/api/creator/application', {});
      packId = (await draftPack(ada)).id;
      samples = `/api/creator/packs/${packId}/samples`;
    });
    afterAll(async () => {
      await two?.stop();
      await one?.stop();
      rmSync(dataDir, { recursive: true, force: true });
    });

    const elsewhere = (client: HttpClient) => new HttpClient(two.url, client.cookies.get('offcut_session'));
    const leftIn = async (prefix: string) => {
      // The outcome of an encoding is visible before its job removes the upload.
      await jobsDone(one.resources.database, [ENCODE]);
      const storage = one.app.get(ObjectStorage, { strict: false });
      const begun = one.app.get(MultipartUploads, { strict: false });
      const { objects } = await storage.list({ prefix });
      const open = await begun.begunBefore(new Date(Date.now() + WEEK_MS), prefix);
      return [...objects.map(({ key }) => key), ...open.map(({ key }) => key)];
    };

    it('[OPS-240] [OPS-243] a file goes to the bucket in parts, and becomes the sample that the form asks for', async () => {
      const uploadId = randomUUID();
      const bytes = wav(441);
      const begun = await begin(ada, packId, uploadId, {
        sizeBytes: bytes.length,
        filename: '../a/Snare_90bpm.wav',
      });
      expect(begun.status).toBe(200);
      const { parts } = begun.body as { parts: Parts };
      expect(parts.missing).toHaveLength(1);
      expect(new URL(parts.missing[0]?.url ?? '').origin).toBe(endpoint);
      await send(bytes, parts);
      const { status, body } = await finish(ada, `${samples}?uploadId=${uploadId}`, uploadId, {
        creditCost: 3,
      });
      expect(status).toBe(201);
      expect(body.sample).toMatchObject({
        name: 'Snare',
        bpm: 90,
        filename: 'Snare_90bpm.wav',
        creditCost: 3,
        sha256: sha256(bytes),
      });
      expect((await ada.get(`/api/creator/uploads/${uploadId}`)).body).toEqual({ phase: 'done', share: 1 });
      // Repeats the request as if its answer was lost.
      const again = await begin(ada, packId, uploadId, { sizeBytes: bytes.length });
      expect(again.body.parts.missing).toEqual([]);
      expect((await finish(elsewhere(ada), samples, uploadId)).body.sample.id).toBe(body.sample.id);
      expect(await leftIn('uploads/')).toEqual([]);
    });

    it('[OPS-240] [OPS-221] it goes on through another node with the parts that are missing; both tell the same of it', async () => {
      const uploadId = randomUUID();
      const bytes = wavFile([sine(330, 110, 0.5)]);
      const file = { sizeBytes: bytes.length };
      const { parts } = (await begin(ada, packId, uploadId, file)).body as { parts: Parts };
      expect(parts.missing.map(({ number }) => number)).toEqual([1, 2]);
      await send(bytes, parts, [2]);
      expect((await finish(ada, samples, uploadId)).body.code).toBe('UploadInterrupted');
      const there = elsewhere(ada);
      const share = 1 - parts.partBytes / bytes.length;
      for (const client of [ada, there])
        expect((await client.get(`/api/creator/uploads/${uploadId}`)).body).toEqual({
          phase: 'receiving',
          share,
        });
      const resumed = (await begin(there, packId, uploadId, file)).body.parts as Parts;
      expect(resumed.missing.map(({ number }) => number)).toEqual([1]);
      await send(bytes, resumed);
      expect((await begin(ada, packId, uploadId, file)).body.parts.missing).toEqual([]);
      const { status, body } = await finish(there, samples, uploadId);
      expect([status, body.sample.sha256]).toEqual([201, sha256(bytes)]);
      expect(await leftIn('uploads/')).toEqual([]);
    });

    it('[OPS-240] stems, MIDI and another recording go the same way', async () => {
      const { sample } = await added(wav());
      const midi = Buffer.from('MThd\0\0\0\x06\0\0\0\x01\0\x60', 'latin1');
      const id = randomUUID();
      const file = { sizeBytes: midi.length, filename: 'a.mid', sampleId: sample.id };
      await send(midi, (await begin(ada, packId, id, file)).body.parts);
      const attached = await finish(ada, `${samples}/${sample.id}/midi`, id, {}, 'put');
      expect([attached.status, attached.body.sample.hasMidi]).toEqual([200, true]);
      const other = wav();
      const again = randomUUID();
      await send(
        other,
        (await begin(ada, packId, again, { sizeBytes: other.length, sampleId: sample.id })).body.parts,
      );
      const replaced = await finish(ada, `${samples}/${sample.id}/audio?uploadId=${again}`, again, {}, 'put');
      expect([replaced.status, replaced.body.sample.sha256]).toEqual([200, sha256(other)]);
      expect(await leftIn('uploads/')).toEqual([]);
    });

    async function added(bytes: Buffer) {
      const uploadId = randomUUID();
      await send(bytes, (await begin(ada, packId, uploadId, { sizeBytes: bytes.length })).body.parts);
      return (await finish(ada, samples, uploadId)).body;
    }

    it('[OPS-240] what is no sound is refused as from a form, and leaves nothing', async () => {
      const uploadId = randomUUID();
      const noise = randomBytes(1_000);
      await send(noise, (await begin(ada, packId, uploadId, { sizeBytes: noise.length })).body.parts);
      const { status, body } = await finish(ada, samples, uploadId);
      expect([status, body.code]).toEqual([415, 'UnsupportedAudioType']);
      expect(await leftIn('uploads/')).toEqual([]);
    });

    it('[OPS-240] another file under the same id begins anew, and nobody else has the upload', async () => {
      const uploadId = randomUUID();
      const bytes = wav();
      const first = (await begin(ada, packId, uploadId, { sizeBytes: bytes.length + 1 })).body.parts as Parts;
      const { parts } = (await begin(ada, packId, uploadId, { sizeBytes: bytes.length })).body as {
        parts: Parts;
      };
      expect((await fetch(first.missing[0]?.url ?? '', { method: 'PUT', body: 'x' })).status).toBe(403);
      await send(bytes, parts);
      const bob = await one.signedUp();
      await bob.post('/api/creator/application', {});
      const bobs = (await draftPack(bob)).id;
      expect((await begin(bob, packId, uploadId, { sizeBytes: 1 })).status).toBe(404);
      const taken = await finish(bob, `/api/creator/packs/${bobs}/samples`, uploadId);
      expect(taken.body.code).toBe('UploadInterrupted');
      const other = (await draftPack(ada)).id;
      expect((await finish(ada, `/api/creator/packs/${other}/samples`, uploadId)).body.code).toBe(
        'UploadInterrupted',
      );
      expect((await finish(ada, samples, uploadId)).status).toBe(201);
    });

    it('[OPS-240] no more is taken than from a form', async () => {
      const id = randomUUID();
      const large = await begin(ada, packId, id, { sizeBytes: AUDIO_LIMIT_BYTES + 1 });
      expect([large.status, large.body]).toMatchObject([
        413,
        { code: 'AudioTooLarge', limitBytes: AUDIO_LIMIT_BYTES },
      ]);
      const visitor = await one.signedUp();
      expect((await begin(visitor, packId, id, { sizeBytes: 1 })).body.code).toBe('CreatorAccessRequired');
    });

    it('[OPS-241] an upload that its creator gives up leaves nothing; of many unfinished ones the oldest goes', async () => {
      const path = (id: string) => `/api/creator/packs/${packId}/uploads/${id}`;
      const given = randomUUID();
      const { parts } = (await begin(ada, packId, given, { sizeBytes: 4 })).body as { parts: Parts };
      await send(Buffer.from('four'), parts);
      expect((await ada.delete(path(given))).status).toBe(204);
      expect((await ada.delete(path(given))).status).toBe(204);
      expect(await leftIn('uploads/')).toEqual([]);
      const ids = Array.from({ length: 21 }, () => randomUUID());
      for (const id of ids) await begin(ada, packId, id, { sizeBytes: 4 });
      expect(await leftIn('uploads/')).toHaveLength(20);
      expect((await ada.get(`/api/creator/uploads/${ids[1]}`)).status).toBe(200);
      const { rows } = await one.resources.database.pool.query(
        'select upload_id from direct_upload where upload_id = $1',
        [ids[0]],
      );
      expect(rows).toEqual([]);
      for (const id of ids) await ada.delete(path(id));
    });

    it('[OPS-241] what nobody finishes is removed after a week', async () => {
      const begun = (await begin(ada, packId, randomUUID(), { sizeBytes: 4 })).body.parts as Parts;
      const sent = randomUUID();
      await send(Buffer.from('RIFF'), (await begin(ada, packId, sent, { sizeBytes: 4 })).body.parts);
      expect(begun.missing).toHaveLength(1);
      const storage = one.app.get(ObjectStorage, { strict: false });
      await storage.put('uploads/completed', Buffer.from('all'), { contentType: 'audio/wav' });
      const multipart = one.app.get(MultipartUploads, { strict: false });
      const sweepAt = (now: number) =>
        new UnfinishedUploads(storage, { now: () => new Date(now) }, multipart).sweep();
      expect(await sweepAt(Date.now() + WEEK_MS - 60_000)).toBe(0);
      expect(await sweepAt(Date.now() + WEEK_MS + 60_000)).toBe(3);
      expect(await leftIn('uploads/')).toEqual([]);
      // A later upload starts from the beginning.
      const again = (await begin(ada, packId, sent, { sizeBytes: 4 })).body.parts as Parts;
      expect(again.missing).toHaveLength(1);
      await ada.delete(`/api/creator/packs/${packId}/uploads/${sent}`);
      expect((await packOf(ada, packId)).samples.length).toBeGreaterThan(0);
    });

    it('[OPS-241] [GONE-12] with a person goes what they had begun to send', async () => {
      const eve = await one.signedUp();
      await eve.post('/api/creator/application', {});
      const pack = await draftPack(eve);
      await begin(eve, pack.id, randomUUID(), { sizeBytes: 4, filename: 'Eve Adams.wav' });
      const id = randomUUID();
      await send(Buffer.from('none'), (await begin(eve, pack.id, id, { sizeBytes: 4 })).body.parts);
      await finish(eve, `/api/creator/packs/${pack.id}/samples`, id);
      const { database } = one.resources;
      const rows = async () =>
        (
          await database.pool.query(
            `select 'sent' as kind from direct_upload where user_id = $1
             union all select 'encoded' from sample_encoding where user_id = $1`,
            [eve.userId],
          )
        ).rows.map(({ kind }) => kind);
      expect(await rows()).toEqual(['sent', 'encoded']);
      expect((await eve.delete('/api/me')).status).toBe(204);
      expect(await rows()).toEqual([]);
    });
  });
