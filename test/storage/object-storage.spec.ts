import { ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../adapters/platform/database/embedded/launch.js';
import { DiskObjectStorage } from '../../adapters/vendors/disk/disk-object-storage.js';
import { ProblemFilter } from '../../adapters/platform/http/problem.filter.js';
import { SignedMediaController } from '../../adapters/storage/storage.controller.js';
import type { S3Credentials } from '../../adapters/vendors/s3/presigner.js';
import { S3ObjectStorage } from '../../adapters/vendors/s3/s3-object-storage.js';
import { WallClock, SystemClock } from '../../application/shared/clock.js';
import { ObjectStorage, StorageUnavailable } from '../../application/storage/object-storage.js';
import { SignedUrlVerifier } from '../../application/storage/signed-urls.js';
import { objectStorageContract, type StorageHarness } from './object-storage.contract.js';

class MovableClock extends WallClock {
  private aheadMs = 0;
  now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }
  advance(ms: number): void {
    this.aheadMs += ms;
  }
}

objectStorageContract('local folder', async () => {
  const root = mkdtempSync(join(tmpdir(), 'offcut-objects-'));
  const port = await freePort();
  const clock = new MovableClock();
  const publicUrl = `http://127.0.0.1:${port}`;
  const storage = new DiskObjectStorage({ root, publicUrl, signingKey: randomBytes(32), clock });
  const module = await Test.createTestingModule({
    controllers: [SignedMediaController],
    providers: [
      { provide: ObjectStorage, useValue: storage },
      { provide: SignedUrlVerifier, useValue: storage.signedUrls },
    ],
  }).compile();
  const app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
  app.useGlobalFilters(new ProblemFilter());
  await app.listen(port, '127.0.0.1');
  return {
    storage,
    letExpire: async () => clock.advance(2_001),
    close: async () => {
      await app.close();
      expect(readdirSync(join(root, 'temporary'))).toEqual([]);
      rmSync(root, { recursive: true, force: true });
    },
  };
});

// Without a bucket or a Docker engine, the test run itself lists what it skipped and why.
const endpoint = process.env.TEST_S3_ENDPOINT;
if (endpoint)
  objectStorageContract(`S3 at ${endpoint}`, async () =>
    s3Harness({ endpoint, credentials: { accessKeyId: 'testkey', secretAccessKey: 'testsecret' } }),
  );

/** For this test only: the release is no longer maintained and has a known flaw (CVE-2025-62506). */
const MINIO = 'quay.io/minio/minio@sha256:a1ea29fa28355559ef137d71fc570e508a214ec84ff8083e39bc5428980b015e';
if (existsSync(process.env.DOCKER_HOST?.replace('unix://', '') ?? '/var/run/docker.sock'))
  objectStorageContract('MinIO in a container', async () => {
    const { GenericContainer, Wait } = await import('testcontainers');
    const container = await new GenericContainer(MINIO)
      .withCommand(['server', '/data'])
      .withEnvironment({ MINIO_ROOT_USER: 'testkey', MINIO_ROOT_PASSWORD: 'testsecret' })
      .withExposedPorts(9000)
      .withWaitStrategy(Wait.forHttp('/minio/health/ready', 9000))
      .start();
    const harness = await s3Harness({
      endpoint: `http://${container.getHost()}:${container.getMappedPort(9000)}`,
      credentials: { accessKeyId: 'testkey', secretAccessKey: 'testsecret' },
    });
    return { ...harness, close: async () => void (await harness.close(), await container.stop()) };
  });

describe('local folder', () => {
  const root = mkdtempSync(join(tmpdir(), 'offcut-folder-'));
  const options = { publicUrl: 'http://localhost', signingKey: randomBytes(32), clock: new SystemClock() };
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('keeps its objects over a restart and sweeps what a killed process left', async () => {
    const before = new DiskObjectStorage({ root, ...options });
    await before.put('Users/a/x', Buffer.from('kept'), { contentType: 'text/plain' });
    const abandoned = join(root, 'temporary', 'abandoned');
    const fresh = join(root, 'temporary', 'fresh');
    writeFileSync(abandoned, 'half');
    writeFileSync(fresh, 'another process is writing this');
    utimesSync(abandoned, new Date(0), new Date(0));
    const after = new DiskObjectStorage({ root, ...options });
    await after.put('Users/a/y', Buffer.from('new'), { contentType: 'text/plain' });
    expect((await after.list({ prefix: 'Users/' })).objects).toHaveLength(2);
    expect(readdirSync(join(root, 'temporary'))).toEqual(['fresh']);
    rmSync(fresh);
  });

  it('does not take a half-written file for an object', async () => {
    const storage = new DiskObjectStorage({ root, ...options });
    writeFileSync(join(root, 'objects', 'torn%object'), 'bytes without an end');
    writeFileSync(join(root, 'objects', 'tiny%object'), '');
    expect(await storage.head('torn')).toBeUndefined();
    expect(await storage.head('tiny')).toBeUndefined();
    expect((await storage.list({ prefix: 't' })).objects).toEqual([]);
  });

  it('says that it is unavailable when its folder cannot be used', async () => {
    const file = join(root, 'a-file');
    writeFileSync(file, '');
    const storage = new DiskObjectStorage({ root: join(file, 'below'), ...options });
    await expect(storage.put('a', Buffer.from('x'), { contentType: 'text/plain' })).rejects.toThrow(
      StorageUnavailable,
    );
  });

  it('refuses a weak signing key', () => {
    expect(() => new DiskObjectStorage({ root, ...options, signingKey: Buffer.alloc(16) })).toThrow(
      RangeError,
    );
  });
});

if (endpoint)
  describe('S3', () => {
    const server = { endpoint, credentials: { accessKeyId: 'testkey', secretAccessKey: 'testsecret' } };

    it('keeps no part of an upload that broke off', async () => {
      const bucket = `sounds-${randomBytes(4).toString('hex')}`;
      const storage = new S3ObjectStorage({
        ...server,
        region: 'us-east-1',
        bucket,
        clock: new SystemClock(),
      });
      const body = Readable.from(
        (async function* () {
          for (let part = 0; part < 20; part++) yield Buffer.alloc(1024 * 1024);
          throw new Error('gone');
        })(),
      );
      await expect(storage.put('a', body, { contentType: 'audio/wav' })).rejects.toThrow('gone');
      const client = new S3Client({
        endpoint: server.endpoint,
        region: 'us-east-1',
        forcePathStyle: true,
        credentials: server.credentials,
      });
      expect((await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads ?? []).toEqual(
        [],
      );
      client.destroy();
      storage.close();
    });

    it('[OPS-122] signs for the name under which browsers reach it', async () => {
      const { port } = new URL(endpoint);
      const storage = new S3ObjectStorage({
        ...server,
        publicEndpoint: `http://localhost:${port}`,
        region: 'us-east-1',
        bucket: `sounds-${randomBytes(4).toString('hex')}`,
        clock: new SystemClock(),
      });
      await storage.put('a b.wav', Buffer.from('bytes'), { contentType: 'audio/wav' });
      const address = await storage.presignGet('a b.wav', { expiresInSeconds: 60 });
      expect(new URL(address).hostname).toBe('localhost');
      expect(await (await fetch(address)).text()).toBe('bytes');
      expect((await fetch(address.replace('//localhost', '//127.0.0.1'))).status).toBe(403);
      storage.close();
    });

    it('is unavailable to who has the wrong keys', async () => {
      const storage = new S3ObjectStorage({
        ...server,
        credentials: { ...server.credentials, secretAccessKey: 'wrong' },
        region: 'us-east-1',
        bucket: 'sounds',
        clock: new SystemClock(),
      });
      await expect(storage.get('a')).rejects.toThrow(StorageUnavailable);
      storage.close();
    });
  });

describe('S3 that does not answer', () => {
  let attempts = 0;
  const broken = createServer((socket) => {
    attempts += 1;
    socket.destroy();
  });
  beforeAll(() => new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve)));
  afterAll(() => void broken.close());

  it('is unavailable, and says so after three attempts', async () => {
    const storage = new S3ObjectStorage({
      endpoint: `http://127.0.0.1:${(broken.address() as AddressInfo).port}`,
      region: 'us-east-1',
      bucket: 'Sounds',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      clock: new SystemClock(),
    });
    await expect(storage.head('a')).rejects.toThrow(StorageUnavailable);
    expect(attempts).toBe(3);
    await expect(storage.put('a', Buffer.from('x'), { contentType: 'text/plain' })).rejects.toThrow(
      StorageUnavailable,
    );
    expect(attempts).toBe(6);
    storage.close();
  });
});

async function s3Harness(server: { endpoint: string; credentials: S3Credentials }): Promise<StorageHarness> {
  const storage = new S3ObjectStorage({
    ...server,
    region: 'us-east-1',
    bucket: `sounds-${randomBytes(4).toString('hex')}`,
    clock: new SystemClock(),
  });
  return { storage, letExpire: () => wait(3_100), close: async () => storage.close() };
}
