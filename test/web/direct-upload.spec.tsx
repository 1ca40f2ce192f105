import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { ApiProblem, repeatAfterSignIn } from '../../web/src/api/transport/http.js';
import { deliver } from '../../web/src/screens/pack-editor/upload/deliver.js';
import { ownSample } from './support/packs.js';
import { refused, StubServer } from './support/server.js';
import { FakeUpload, takeUploads } from './support/upload.js';

const PART_BYTES = 4;
const BEGIN = 'PUT /api/creator/packs/:id/uploads/:uploadId';
const UPLOAD_ID = '5b5ab2a4-9d5f-4a58-9c36-0d1b3a7f6a01';
const bucket = (number: number, time: number) =>
  `https://bucket.example/uploads/a?partNumber=${number}&time=${time}`;

let server: StubServer;
/** The parts in the bucket, by number. */
let there: Map<number, string>;
let shares: number[];

beforeEach(() => {
  takeUploads();
  there = new Map();
  shares = [];
  let time = 0;
  server = new StubServer({
    [BEGIN]: () => {
      time += 1;
      const missing = [1, 2, 3].filter((number) => !there.has(number));
      return {
        json: {
          parts: {
            partBytes: PART_BYTES,
            missing: missing.map((number) => ({ number, url: bucket(number, time) })),
          },
        },
      };
    },
  });
});

const send = (name = 'a.wav', onSent = () => {}) =>
  deliver('POST /api/creator/packs/:id/samples', {
    uploadId: UPLOAD_ID,
    file: new File(['RIFFWAVEend'], name, { type: 'audio/wav' }),
    part: 'audio',
    fields: { meta: '{}' },
    params: { id: 'pack-1' },
    query: { uploadId: UPLOAD_ID },
    onProgress: (share) => shares.push(share),
    onSent,
  });
const sent = async (count: number): Promise<FakeUpload> => {
  await waitFor(() => expect(FakeUpload.all).toHaveLength(count));
  return FakeUpload.all[count - 1] as FakeUpload;
};
const textOf = (blob: Blob): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(blob);
  });
/** The bucket accepts the part in transit. */
async function take(part: FakeUpload): Promise<void> {
  there.set(Number(new URL(part.path).searchParams.get('partNumber')), await textOf(part.body as Blob));
  part.answer(200, null);
}
const sample = { sample: ownSample('a'), version: 2 };

describe('[OPS-240] a file for the bucket', () => {
  it('is sent there in parts without the session, and named in the form', async () => {
    const done = send();
    for (let part = 1; part <= 3; part += 1) {
      const each = await sent(part);
      expect([each.method, each.path, each.withCredentials, each.headers]).toEqual([
        'PUT',
        bucket(part, 1),
        false,
        {},
      ]);
      each.progress(1, 2);
      await take(each);
    }
    expect([...there.values()]).toEqual(['RIFF', 'WAVE', 'end']);
    expect(shares).toEqual([2 / 11, 6 / 11, 9.5 / 11]);
    const form = await sent(4);
    expect(form.path).toBe(`/api/creator/packs/pack-1/samples?uploadId=${UPLOAD_ID}`);
    expect([form.form.get('stored'), form.form.get('meta'), form.form.has('audio')]).toEqual([
      UPLOAD_ID,
      '{}',
      false,
    ]);
    form.answer(201, sample);
    expect(await done).toEqual(sample);
    expect(server.seen(BEGIN).map(({ body }) => body)).toEqual([{ filename: 'a.wav', sizeBytes: 11 }]);
  });

  it('goes on after a failure with the parts that are missing, at new addresses', async () => {
    const done = send();
    await take(await sent(1));
    (await sent(2)).lose();
    const again = await sent(3);
    expect(again.path).toBe(bucket(2, 2));
    again.answer(403, null);
    for (const [count, path] of [
      [4, bucket(2, 3)],
      [5, bucket(3, 3)],
    ] as const) {
      const each = await sent(count);
      expect(each.path).toBe(path);
      await take(each);
    }
    (await sent(6)).answer(201, sample);
    await done;
  });

  it('[UPL-841] waits for a new sign-in when the session ended on the way, and then sends the form again', async () => {
    let asked = 0;
    repeatAfterSignIn(() => Promise.resolve((asked += 1) > 0));
    const none = { json: { parts: { partBytes: PART_BYTES, missing: [] } } };
    server.on(BEGIN, none);
    const done = send();
    const form = await sent(1);
    server.on(BEGIN, () => (asked === 0 ? refused('NotSignedIn') : none));
    form.answer(401, refused('NotSignedIn').json);
    const again = await sent(2);
    expect([asked, again.form.get('stored')]).toEqual([1, UPLOAD_ID]);
    again.answer(201, sample);
    expect(await done).toEqual(sample);
    repeatAfterSignIn(() => Promise.resolve(false));
  });

  it('[UPL-845] counts as sent once all its bytes were sent, so that its progress is not polled too early', async () => {
    let sentTimes = 0;
    const done = send('a.wav', () => (sentTimes += 1));
    for (const number of [1, 2, 3]) {
      const part = await sent(number);
      part.upload.dispatchEvent(new Event('load'));
      await take(part);
    }
    const form = await sent(4);
    expect(sentTimes).toBe(0);
    form.upload.dispatchEvent(new Event('load'));
    expect(sentTimes).toBe(1);
    form.answer(201, sample);
    await done;
  });

  it('[UPL-842] has a name that a form can carry', async () => {
    server.on(BEGIN, { json: { parts: null } });
    const done = send('Tom\u0007 12" \n “high”.wav');
    const form = await sent(1);
    expect((form.form.get('audio') as File).name).toBe("Tom 12' “high”.wav");
    expect(server.seen(BEGIN).map(({ body }) => body)).toMatchObject([{ filename: "Tom 12' “high”.wav" }]);
    form.answer(201, sample);
    await done;
  });

  it('is not sent again where it arrived before', async () => {
    there = new Map([
      [1, 'RIFF'],
      [2, 'WAVE'],
      [3, 'end'],
    ]);
    const done = send();
    const form = await sent(1);
    expect(form.form.get('stored')).toBe(UPLOAD_ID);
    form.answer(201, sample);
    await done;
  });

  it('goes to the server where this browser cannot reach the bucket', async () => {
    const done = send();
    for (let attempt = 1; attempt <= 3; attempt += 1) (await sent(attempt)).lose();
    const form = await sent(4);
    expect([form.form.has('stored'), (form.form.get('audio') as File).name]).toEqual([false, 'a.wav']);
    form.answer(201, sample);
    await done;
  });

  it('waits for a retry where the bucket or the server goes away on the way', async () => {
    const gone = send().catch((error: unknown) => error as ApiProblem);
    await take(await sent(1));
    for (let attempt = 2; attempt <= 5; attempt += 1) (await sent(attempt)).lose();
    expect(await gone).toMatchObject({ status: 0, code: 'Unreachable' });
    const late = send().catch((error: unknown) => error as ApiProblem);
    const part = await sent(6);
    server.on(BEGIN, refused('ServiceUnavailable'));
    part.lose();
    expect(await late).toMatchObject({ code: 'ServiceUnavailable' });
  });
});
