import { PutBucketCorsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { DiskObjectStorage } from '../../adapters/vendors/disk/disk-object-storage.js';
import { S3ObjectStorage } from '../../adapters/vendors/s3/s3-object-storage.js';
import { SystemClock } from '../../application/shared/clock.js';
import { StorageUnavailable } from '../../application/storage/object-storage.js';
import { readConfig } from '../../bootstrap/config.js';
import { allowPages, examineDownloads } from '../../cli/storage.command.js';
import type { Tools } from '../../cli/tools.js';

const PUBLIC_URL = 'https://sounds.example';
const told: string[] = [];
const print = (line: string) => void told.push(line);
const toolsOf = (env: Record<string, string>, storage: unknown) =>
  ({ storage, config: readConfig({ PUBLIC_URL, ...env }) }) as unknown as Tools;
const clock = new SystemClock();
const KEYS = { S3_ACCESS_KEY_ID: 'testkey', S3_SECRET_ACCESS_KEY: 'testsecret' };
const opened: S3ObjectStorage[] = [];
afterAll(() => opened.forEach((storage) => storage.close()));
const open = (env: Record<string, string>) => {
  const { s3 } = readConfig({ ...KEYS, ...env });
  const storage = new S3ObjectStorage({ ...(s3 as NonNullable<typeof s3>), clock });
  opened.push(storage);
  return { storage, tools: toolsOf({ ...KEYS, ...env }, storage) };
};

describe('[OPS-124] what browsers get of the storage', () => {
  it('is no question where files are served here', async () => {
    const folder = new DiskObjectStorage({
      root: '/nowhere',
      publicUrl: PUBLIC_URL,
      signingKey: Buffer.alloc(32),
      clock,
    });
    expect(await examineDownloads(toolsOf({}, folder))).toBe('files are served here');
    await allowPages(toolsOf({}, folder), print);
    expect(told.pop()).toBe('Files are kept in a folder and served here.');
  });

  it('cannot be told where the bucket does not answer', async () => {
    const { tools } = open({ S3_ENDPOINT: 'http://127.0.0.1:9' });
    expect(await examineDownloads(tools)).toContain('http://127.0.0.1:9 does not answer from here');
    await expect(allowPages(tools, print)).rejects.toThrow(StorageUnavailable);
  });

  const endpoint = process.env.TEST_S3_ENDPOINT;
  if (endpoint)
    it('begins with the bucket if there is none yet', async () => {
      const bucket = `cors-${randomBytes(4).toString('hex')}`;
      await allowPages(open({ S3_ENDPOINT: endpoint, S3_BUCKET: bucket }).tools, print);
      expect(told.pop()).toBe(`Pages of ${PUBLIC_URL} may fetch from the bucket ${bucket}.`);
    });
  if (endpoint)
    it('is nothing until `offcut storage cors` allows it, which keeps the rules of others', async () => {
      const bucket = `cors-${randomBytes(4).toString('hex')}`;
      const { storage, tools } = open({ S3_ENDPOINT: endpoint, S3_BUCKET: bucket });
      await storage.ping();
      await expect(examineDownloads(tools)).rejects.toThrow(
        `lets no page of ${PUBLIC_URL} use GET and PUT; \`offcut storage cors\` allows it`,
      );
      const client = new S3Client({
        endpoint,
        region: 'us-east-1',
        forcePathStyle: true,
        credentials: { accessKeyId: 'testkey', secretAccessKey: 'testsecret' },
      });
      const other = { AllowedOrigins: ['https://other.example'], AllowedMethods: ['GET'] };
      await client.send(
        new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: { CORSRules: [other] } }),
      );
      client.destroy();
      for (const time of ['first', 'again']) {
        await allowPages(tools, print);
        expect([time, told.pop()]).toEqual([
          time,
          `Pages of ${PUBLIC_URL} may fetch from the bucket ${bucket}.`,
        ]);
        expect(await examineDownloads(tools)).toBe(`pages of ${PUBLIC_URL} may fetch from ${endpoint}`);
      }
      expect(await storage.cors.refused('https://other.example')).toEqual(['PUT']);
      expect(await storage.cors.refused('https://evil.example')).toEqual(['GET', 'PUT']);
      await storage.put('a.wav', Buffer.from('bytes'), { contentType: 'audio/wav' });
      const answer = await fetch(await storage.presignGet('a.wav', { expiresInSeconds: 60 }), {
        headers: { origin: PUBLIC_URL },
      });
      expect(answer.headers.get('access-control-allow-origin')).toBe(PUBLIC_URL);
      expect(await answer.text()).toBe('bytes');
    });
});
