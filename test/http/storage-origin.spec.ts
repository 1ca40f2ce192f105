import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { S3ObjectStorage } from '../../adapters/vendors/s3/s3-object-storage.js';
import { SystemClock } from '../../application/shared/clock.js';
import { readConfig } from '../../bootstrap/config.js';
import { startTestApp } from '../support/app.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

const KEYS = { S3_ACCESS_KEY_ID: 'AKIDEXAMPLE', S3_SECRET_ACCESS_KEY: 'c3VjaCBhIHNlY3JldA' };

describe('[OPS-120] pages may fetch what the bucket holds', () => {
  let test: TestDatabase;
  beforeAll(async () => void (test = await startTestDatabase()), 60_000);
  afterAll(() => test?.close());

  /** Returns the sources that a page may fetch from, show and play, according to its headers. */
  const allowed = async (s3: ReturnType<typeof readConfig>['s3']) => {
    const app = await startTestApp({ database: test.database, config: { s3 } });
    try {
      const { headers } = await app.browser().get('/healthz');
      const policy = headers.get('content-security-policy') ?? '';
      return ['connect-src', 'img-src', 'media-src'].map(
        (name) =>
          policy
            .split(';')
            .find((directive) => directive.startsWith(name))
            ?.split(' ') ?? [],
      );
    } finally {
      await app.close();
    }
  };

  it.each([
    ['on Amazon in the region it has unless named', {}],
    ['on Amazon in another region', { S3_REGION: 'eu-central-1' }],
    ['on Amazon in a bucket with a dot', { S3_BUCKET: 'sounds.offcut.example' }],
    [
      'on a server with another name for browsers',
      { S3_ENDPOINT: 'http://minio:9000', S3_PUBLIC_ENDPOINT: 'https://objects.example' },
    ],
    ['in the name of a server', { S3_ENDPOINT: 'https://objects.example', S3_FORCE_PATH_STYLE: 'off' }],
    ['on another server', { S3_ENDPOINT: 'https://objects.example:8443/' }],
  ])('%s', async (_, env) => {
    const { s3 } = readConfig({ ...KEYS, ...env });
    const storage = new S3ObjectStorage({ ...(s3 as NonNullable<typeof s3>), clock: new SystemClock() });
    const { origin } = new URL(await storage.presignGet('Users/a/b.wav', { expiresInSeconds: 60 }));
    storage.close();
    for (const sources of await allowed(s3)) expect(sources).toContain(origin);
  });
});
