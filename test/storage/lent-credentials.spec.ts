import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StorageLimits } from '../../adapters/vendors/s3/bucket-connection.js';
import { S3ObjectStorage } from '../../adapters/vendors/s3/s3-object-storage.js';
import { SystemClock } from '../../application/shared/clock.js';
import { StorageUnavailable } from '../../application/storage/object-storage.js';

const SOON = { connectMs: 300, answerMs: 600, silenceMs: 300 };

/** Variables in which Amazon's SDK looks before it asks the credentials server. */
const NONE = {
  AWS_ACCESS_KEY_ID: undefined,
  AWS_SECRET_ACCESS_KEY: undefined,
  AWS_PROFILE: undefined,
  AWS_WEB_IDENTITY_TOKEN_FILE: undefined,
  AWS_CONFIG_FILE: '/nowhere/config',
  AWS_SHARED_CREDENTIALS_FILE: '/nowhere/credentials',
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: undefined,
};

describe('[OPS-121] without keys of its own', () => {
  const before = { ...process.env };
  let server: Server;
  let lends: (() => object) | undefined;
  let asked = 0;
  let lifetimeMs = 3_600_000;
  const lend = () => ({
    AccessKeyId: `ASIA${asked}`,
    SecretAccessKey: 'secret',
    Token: `token-${asked}`,
    Expiration: new Date(Date.now() + lifetimeMs).toISOString(),
  });
  const set = (env: Record<string, string | undefined>) => {
    for (const [name, value] of Object.entries(env))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  };
  beforeAll(async () => {
    server = createServer((_, response) => {
      asked += 1;
      if (lends) response.setHeader('content-type', 'application/json').end(JSON.stringify(lends()));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    set({ ...NONE, AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${port}/lent` });
  });
  afterAll(() => {
    set({ ...Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined])), ...before });
    server.closeAllConnections();
    server.close();
  });
  const open = (limits?: StorageLimits) =>
    new S3ObjectStorage({
      region: 'eu-central-1',
      bucket: 'sounds',
      clock: new SystemClock(),
      ...(limits ? { limits } : {}),
    });
  const signed = async (storage: S3ObjectStorage) =>
    new URL(await storage.presignGet('a.wav', { expiresInSeconds: 900 })).searchParams;

  it('signs with those that the machine lends, and with the next when they end', async () => {
    lifetimeMs = 30_000;
    lends = lend;
    const storage = open();
    const first = await signed(storage);
    expect(first.get('X-Amz-Security-Token')).toMatch(/^token-\d+$/);
    expect(Number(first.get('X-Amz-Expires'))).toBeLessThanOrEqual(30);
    // With less than a minute left, the storage waits for new credentials; those of an hour are cached.
    lifetimeMs = 3_600_000;
    const next = await signed(storage);
    expect(next.get('X-Amz-Security-Token')).not.toBe(first.get('X-Amz-Security-Token'));
    expect(next.get('X-Amz-Expires')).toBe('900');
    const count = asked;
    await signed(storage);
    expect(asked).toBe(count);
    storage.close();
  });

  it('is unavailable in time when nothing lends any, or does not answer, and goes on once it does', async () => {
    const warned = jest.spyOn(console, 'warn').mockImplementation(() => {});
    lends = undefined;
    const silent = open(SOON);
    await expect(signed(silent)).rejects.toThrow(StorageUnavailable);
    await expect(silent.ping()).rejects.toThrow(StorageUnavailable);
    lends = lend;
    expect((await signed(silent)).get('X-Amz-Security-Token')).toMatch(/^token-\d+$/);
    silent.close();
    // The provider's library logs the wait, and waits without limit.
    for (const [line] of warned.mock.calls) expect(line).toContain('exceeded the configured 1000 ms');
    warned.mockRestore();
    set({ AWS_CONTAINER_CREDENTIALS_FULL_URI: undefined });
    const alone = open(SOON);
    await expect(signed(alone)).rejects.toThrow(StorageUnavailable);
    alone.close();
  });
});
