import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { expect, it } from '@jest/globals';
import { S3Presigner } from '../../adapters/vendors/s3/presigner.js';

const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};
const endpoint = 'http://127.0.0.1:9000';
const presigner = new S3Presigner({ endpoint: new URL(endpoint), region: 'eu-central-1', credentials });
const client = new S3Client({
  endpoint,
  region: 'eu-central-1',
  credentials,
  forcePathStyle: true,
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
});

const same = (ours: string, theirs: string) => {
  const [a, b] = [new URL(ours), new URL(theirs)];
  expect(a.pathname).toBe(b.pathname);
  expect(Object.fromEntries(a.searchParams)).toEqual(Object.fromEntries(b.searchParams));
};
/** What the SDK adds to the query of its own accord. */
const extra = (operation: string) => ({ 'x-id': operation, 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' });

it.each(['plain.wav', 'Users/Ada/a b+c.wav', 'ü/音楽/🎧', `quote'(1)*!~.wav`, 'a%2Fb&c=d'])(
  'signs a GET of %j as the SDK does',
  async (key) => {
    const now = new Date('2026-11-20T12:34:56.789Z');
    const disposition = `attachment; filename="x y.wav"; filename*=UTF-8''x%20y.wav`;
    const ours = presigner.sign(`/Sounds/${key}`, {
      method: 'GET',
      now,
      expiresInSeconds: 300,
      query: { 'response-content-disposition': disposition, ...extra('GetObject') },
    });
    const command = new GetObjectCommand({
      Bucket: 'Sounds',
      Key: key,
      ResponseContentDisposition: disposition,
    });
    same(ours, await getSignedUrl(client, command, { expiresIn: 300, signingDate: now }));
  },
);

it('signs a PUT with its content type as the SDK does, day after day', async () => {
  for (const day of ['2026-11-20', '2026-11-20', '2026-11-21']) {
    const now = new Date(`${day}T00:00:01.000Z`);
    const ours = presigner.sign('/Sounds/a.wav', {
      method: 'PUT',
      now,
      expiresInSeconds: 60,
      headers: { 'content-type': 'audio/wav' },
      query: extra('PutObject'),
    });
    const command = new PutObjectCommand({ Bucket: 'Sounds', Key: 'a.wav', ContentType: 'audio/wav' });
    const theirs = await getSignedUrl(client, command, {
      expiresIn: 60,
      signingDate: now,
      signableHeaders: new Set(['content-type', 'host']),
    });
    same(ours, theirs);
  }
});
