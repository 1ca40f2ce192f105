import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, expect, it } from '@jest/globals';
import { bucketAddress, type BucketPlace } from '../../adapters/vendors/s3/address.js';
import { S3Presigner, type S3Credentials } from '../../adapters/vendors/s3/presigner.js';

const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};
const LENT = {
  accessKeyId: 'ASIAEXAMPLE',
  secretAccessKey: 'c2Vjb25k/OneMDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: 'FwoGZXIvYXdzEXAMPLE//+/=',
};
const region = 'eu-central-1';
const here = { endpoint: 'http://127.0.0.1:9000', region, bucket: 'Sounds' };
const presigner = new S3Presigner({ address: bucketAddress(here), region });

const clients: S3Client[] = [];
afterAll(() => clients.forEach((client) => client.destroy()));
const sdk = ({ bucket: _, ...place }: BucketPlace, keys: S3Credentials = credentials): S3Client => {
  const client = new S3Client({
    ...(place.endpoint ? { endpoint: place.endpoint } : {}),
    region: place.region,
    credentials: { ...keys } as never,
    forcePathStyle: place.pathStyle ?? place.endpoint !== undefined,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  clients.push(client);
  return client;
};
const client = sdk(here);

const same = (ours: string, theirs: string) => {
  const [a, b] = [new URL(ours), new URL(theirs)];
  expect([a.origin, a.pathname]).toEqual([b.origin, b.pathname]);
  expect(Object.fromEntries(a.searchParams)).toEqual(Object.fromEntries(b.searchParams));
};
/** Parameters that the SDK adds to the query. */
const extra = (operation: string) => ({ 'x-id': operation, 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' });
const now = new Date('2026-11-20T12:34:56.789Z');
const get = (expiresInSeconds = 300) =>
  ({ method: 'GET', now, expiresInSeconds, query: extra('GetObject') }) as const;

it.each(['plain.wav', 'Users/Ada/a b+c.wav', 'ü/音楽/🎧', `quote'(1)*!~.wav`, 'a%2Fb&c=d'])(
  'signs a GET of %j as the SDK does',
  async (key) => {
    const disposition = `attachment; filename="x y.wav"; filename*=UTF-8''x%20y.wav`;
    const { query, ...request } = get();
    const ours = presigner.sign(key, credentials, {
      ...request,
      query: { 'response-content-disposition': disposition, ...query },
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
    const at = new Date(`${day}T00:00:01.000Z`);
    const ours = presigner.sign('a.wav', credentials, {
      method: 'PUT',
      now: at,
      expiresInSeconds: 60,
      headers: { 'content-type': 'audio/wav' },
      query: extra('PutObject'),
    });
    const command = new PutObjectCommand({ Bucket: 'Sounds', Key: 'a.wav', ContentType: 'audio/wav' });
    const theirs = await getSignedUrl(client, command, {
      expiresIn: 60,
      signingDate: at,
      signableHeaders: new Set(['content-type', 'host']),
    });
    same(ours, theirs);
  }
});

it.each<[string, BucketPlace]>([
  ['in its name on Amazon', { region, bucket: 'sounds' }],
  ['in its name in China', { region: 'cn-north-1', bucket: 'sounds' }],
  ['in the path when it has dots', { region, bucket: 'sounds.offcut.example' }],
  ['in the path when told so', { region, bucket: 'sounds', pathStyle: true }],
  ['in the path on another server', { endpoint: 'https://s3.example:8443', region, bucket: 'sounds' }],
  ['in the name of another', { endpoint: 'https://s3.example', region, bucket: 'sounds', pathStyle: false }],
])('[OPS-122] finds a bucket %s as the SDK does', async (_, place) => {
  const ours = new S3Presigner({ address: bucketAddress(place), region: place.region });
  const command = new GetObjectCommand({ Bucket: place.bucket, Key: 'Users/a b.wav' });
  same(
    ours.sign('Users/a b.wav', credentials, get()),
    await getSignedUrl(sdk(place), command, { expiresIn: 300, signingDate: now }),
  );
});

it('[OPS-121] signs with lent keys as the SDK does, and with the next ones on the same day', async () => {
  const command = new GetObjectCommand({ Bucket: 'Sounds', Key: 'a.wav' });
  for (const keys of [LENT, credentials, LENT])
    same(
      presigner.sign('a.wav', keys, get()),
      await getSignedUrl(sdk(here, keys), command, { expiresIn: 300, signingDate: now }),
    );
});

it('[OPS-121] signs no address that would outlive lent keys', () => {
  const lifetime = (leftMs: number) => {
    const keys = { ...LENT, expiration: new Date(now.getTime() + leftMs) };
    return new URL(presigner.sign('a.wav', keys, get(900))).searchParams.get('X-Amz-Expires');
  };
  expect([3_600_000, 100_900, -5_000].map(lifetime)).toEqual(['900', '100', '1']);
});
