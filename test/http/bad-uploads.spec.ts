import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { AUDIO_LIMIT_BYTES } from '../../application/publishing/values.js';
import { sine, wavFile } from '../audio/synthesis.js';
import type { HttpClient } from '../support/http-client.js';
import { draftPack, withPublishingApp, upload, wav, type PublishingApp } from '../support/publishing.js';
import { until } from '../support/until.js';

const fixture = (name: string): Buffer => readFileSync(new URL(`../audio/fixtures/${name}`, import.meta.url));

let test: PublishingApp;
let ada: HttpClient;
let pack: { id: string; slug: string };
let path: string;
let before: string[];

withPublishingApp((app, creator) => ([test, ada] = [app, creator]));
beforeEach(async () => {
  pack = await draftPack(ada);
  path = `/api/creator/packs/${pack.id}/samples`;
  await test.settled();
  before = await test.stored();
});

/** Checks that an upload left no object, temporary file, sample or event. */
async function nothingLeft(): Promise<void> {
  await test.settled();
  expect(await test.stored()).toEqual(before);
  expect(test.temporaryFiles()).toEqual([]);
  const now = (await ada.get(`/api/creator/packs/${pack.id}`)).body;
  expect(now).toMatchObject({ sampleCount: 0, samples: [], version: 2 });
}

describe('a file that cannot be sold', () => {
  const halfHour = (): Buffer => wavFile([sine(5, 15 * 60 + 1, 0.1, 8_000)], { rateHz: 8_000, bitDepth: 8 });
  it.each<[string, string, () => Buffer, number, string]>([
    [
      '[SMOD-03] text called .wav',
      'x.wav',
      () => Buffer.from('just some words, really'),
      415,
      'UnsupportedAudioType',
    ],
    [
      '[SMOD-03] a kind that is not taken',
      'x.caf',
      () => Buffer.from('caff\0\x01\0\0desc'),
      415,
      'UnsupportedAudioType',
    ],
    [
      '[SMOD-03] another kind under a name that is taken',
      'x.wav',
      () => Buffer.from('MThd\0\0\0\x06'),
      415,
      'UnsupportedAudioType',
    ],
    [
      '[SMOD-03] a web page called .mp3',
      'x.mp3',
      () => Buffer.from('<html><script>alert(1)</script></html>'),
      415,
      'UnsupportedAudioType',
    ],
    ['an empty file', 'x.wav', () => Buffer.alloc(0), 422, 'AudioEmpty'],
    ['digital silence', 'x.wav', () => wavFile([sine(220, 1, 0)]), 422, 'AudioEmpty'],
    ['a WAV cut off after its header', 'x.wav', () => wav().subarray(0, 44), 422, 'Audio'],
    ['a WAV cut off in the middle', 'x.wav', () => wav().subarray(0, 20_000), 422, 'AudioUnreadable'],
    [
      'an M4A cut off in the middle',
      'x.m4a',
      () => fixture('moov-last.m4a').subarray(0, 3_000),
      422,
      'AudioUnreadable',
    ],
    [
      'an M4A of noise',
      'x.m4a',
      () => Buffer.concat([fixture('moov-first.m4a').subarray(0, 40), Buffer.alloc(5_000, 7)]),
      422,
      'AudioUnreadable',
    ],
    ['more than 15 minutes', 'x.wav', halfHour, 422, 'AudioTooLong'],
  ])('%s', async (_, name, bytes, status, code) => {
    const uploadId = randomUUID();
    const answer = await upload(ada, `${path}?uploadId=${uploadId}`, { name, bytes: bytes() });
    expect(answer).toMatchObject({ status, body: { code: expect.stringContaining(code), status } });
    expect((await ada.get(`/api/creator/uploads/${uploadId}`)).body).toEqual({ phase: 'failed', share: 1 });
    await nothingLeft();
  });

  it.each<[string, () => Buffer, string]>([
    [
      'sound.wav',
      () => Buffer.from('caff\0\x01\0\0desc'),
      'This is a CAF file named .wav. Please upload WAV, AIFF, FLAC, MP3, Ogg, Opus, M4A or AAC files.',
    ],
    [
      'surround.m4a',
      () => {
        const bytes = fixture('lossless.m4a');
        bytes.write('ac-3', bytes.indexOf('alac'), 'latin1');
        return bytes;
      },
      'The audio cannot be read: only AAC and ALAC are supported in M4A files.',
    ],
    ['sound.wav', () => wav().subarray(0, 20_000), 'The audio cannot be read: the file ends early.'],
  ])('[SMOD-440] %s states what exactly is wrong', async (name, bytes, detail) => {
    expect((await upload(ada, path, { name, bytes: bytes() })).body.detail).toBe(detail);
  });

  it.each<[string, () => Buffer, string]>([
    ['an MP3.wav', () => fixture('cbr.mp3'), 'an MP3.mp3'],
    ['a WAV.txt', () => wav(), 'a WAV.wav'],
  ])('[SMOD-441] %s is taken by its content and named after it', async (name, bytes, filename) => {
    const { status, body } = await upload(ada, path, { name, bytes: bytes() });
    expect([status, body.sample?.filename]).toEqual([201, filename]);
    expect(filename).toContain(`.${body.sample.format}`);
  });

  it('leaves the sample as it was when it should replace its audio', async () => {
    const { sample } = (await upload(ada, path, { bytes: wav() })).body;
    const stored = await test.stored();
    const answer = await upload(
      ada,
      `${path}/${sample.id}/audio`,
      { name: 'x.wav', bytes: Buffer.from('RIFF????WAVE') },
      { method: 'put' },
    );
    expect(answer.status).toBe(422);
    expect((await ada.get(`/api/creator/packs/${pack.id}`)).body.samples).toEqual([sample]);
    expect(await test.stored()).toEqual(stored);
    expect(test.temporaryFiles()).toEqual([]);
  });
});

describe('a request that is not an upload', () => {
  it('is refused without its part, with a meta that is wrong, or as something else', async () => {
    expect(await upload(ada, path, { bytes: wav(), part: 'file' })).toMatchObject({
      status: 400,
      body: { code: 'InvalidRequest', errors: [{ path: 'audio' }] },
    });
    for (const meta of [
      { bpm: 'fast' },
      { creditCost: 9 },
      { sha256: 'mine' },
      { key: 'H' },
      { instruments: ['Kazoo'] },
    ])
      expect(await upload(ada, path, { bytes: wav() }, { meta })).toMatchObject({
        status: 400,
        body: { code: 'InvalidRequest' },
      });
    expect((await ada.post(path, { audio: 'x' })).status).toBe(415);
    const unbound = await ada.post(path, undefined, {
      raw: Buffer.from('x'),
      headers: { 'content-type': 'multipart/form-data' },
    });
    expect(unbound.status).toBe(400);
    await nothingLeft();
  });

  it('[ERR-22] refuses text in a form that cannot be stored, and cuts no character of a file name in two', async () => {
    const meta = { name: 'a\ud800' };
    const said = await upload(ada, path, { bytes: wav() }, { meta });
    expect(said).toMatchObject({
      status: 400,
      body: { code: 'InvalidRequest', errors: [{ path: 'meta.name' }] },
    });
    const name = `${'x'.repeat(199)}😀 e\u0301.wav`;
    const { status, body } = await upload(ada, path, { name, bytes: wav() });
    expect([status, body.sample.filename]).toEqual([201, `${'x'.repeat(199)}.wav`]);
    await ada.delete(`${path}/${body.sample.id}`);
  });

  it('keeps folders, control characters and length out of the name it remembers', async () => {
    const { body } = await upload(ada, path, {
      name: `../../../etc/\u202epasswd ${'x'.repeat(400)}.wav`,
      bytes: wav(),
    });
    const control = await upload(ada, path, { name: 'a\u0007b.wav', bytes: wav() });
    expect(control).toMatchObject({ status: 400, body: { code: 'InvalidRequest' } });
    expect(test.temporaryFiles()).toEqual([]);
    expect(body.sample.filename).toMatch(/^[^/\u202e]{10,210}\.wav$/);
    expect(body.sample.name.length).toBeLessThanOrEqual(120);
    const keys = (await test.stored()).filter((key) => !before.includes(key) && key.includes('/samples/'));
    expect(keys).toEqual([
      expect.stringMatching(new RegExp(`^Users/ada/Packs/${pack.slug}/samples/\\d+_[0-9a-f]+\\.wav$`)),
    ]);
  });
});

describe('a connection', () => {
  const boundary = 'offcut-test';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="audio"; filename="x.wav"\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;

  /** Speaks HTTP over a raw socket. `send` runs after the head of the request. */
  function speak(
    contentLength: number,
    send: (write: (bytes: Buffer) => Promise<void>, end: () => void) => Promise<void>,
  ) {
    return new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(test.url).port), '127.0.0.1');
      let answer = '';
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
      socket.once('close', () => resolve(answer));
      socket.on('error', () => {});
      const write = (bytes: Buffer) =>
        new Promise<void>((done) => {
          if (socket.destroyed) return done();
          socket.write(bytes, () => done());
        });
      const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const lines = [
        `POST ${path} HTTP/1.1`,
        `Host: ${new URL(test.url).host}`,
        `Origin: ${test.url}`,
        `Cookie: ${cookie}`,
        'Connection: close',
        `Content-Type: multipart/form-data; boundary=${boundary}`,
        `Content-Length: ${contentLength}`,
      ];
      write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n${head}`))
        .then(() => send(write, () => socket.destroy()))
        .catch(reject);
    });
  }

  it('that breaks in the middle leaves nothing', async () => {
    const bytes = wav(220, 20);
    await speak(head.length + bytes.length + tail.length, async (write, end) => {
      await write(bytes.subarray(0, 500_000));
      await until(() => test.temporaryFiles().length === 1);
      end();
    });
    await until(() => test.temporaryFiles().length === 0);
    await nothingLeft();
  });

  it('that ends its body early is told so', async () => {
    const bytes = wav();
    const answer = await speak(head.length + bytes.length, async (write) => write(bytes));
    expect(answer).toContain('400');
    expect(answer).toContain('UploadInterrupted');
    await nothingLeft();
  });

  it('that sends more than 200 MiB is refused with 413', async () => {
    const size = AUDIO_LIMIT_BYTES + 1_000_000;
    const chunk = Buffer.alloc(1_000_000);
    const answer = await speak(head.length + size + tail.length, async (write) => {
      for (let sent = 0; sent < size; sent += chunk.length)
        await write(chunk.subarray(0, Math.min(chunk.length, size - sent)));
      await write(Buffer.from(tail));
    });
    expect(answer).toContain('413');
    expect(answer).toContain('AudioTooLarge');
    await nothingLeft();
  });
});

describe('[EDIT-06] [EDIT-07] a cover', () => {
  const cover = (bytes: Buffer, name = 'cover.png') =>
    upload(ada, `/api/creator/packs/${pack.id}/cover`, { bytes, name, part: 'image' }, { method: 'put' });
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );

  it('is re-encoded and named by its content', async () => {
    const { status, body } = await cover(png);
    expect(status).toBe(200);
    expect(body.artworkUrl).toMatch(/^\/media\/covers\/[0-9a-f]{64}\.webp$/);
    expect(await test.stored(body.artworkUrl.slice(1))).toHaveLength(1);
    expect(await test.stored(`Users/ada/Packs/${pack.slug}/covers/`)).toHaveLength(2);
  });

  it('other than jpg, png or webp by content, or above 5 MiB, is refused', async () => {
    for (const bytes of [
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      Buffer.from('GIF89a....'),
      wav(),
    ])
      expect(await cover(bytes)).toMatchObject({
        status: 415,
        body: { code: 'UnsupportedImageType', title: 'Please upload only .jpg, .png, or .webp image files' },
      });
    expect(await cover(Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]))).toMatchObject({
      status: 413,
      body: { code: 'ImageTooLarge', title: 'Image file size must be less than 5MB' },
    });
    await nothingLeft();
  });
});
