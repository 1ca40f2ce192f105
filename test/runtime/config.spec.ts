import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../bootstrap/config.js';
import { refuseDemoPeople, refuseTrialSettings, shownByTrial } from '../../bootstrap/production.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

const KEY = { id: 'first', secret: 'A'.repeat(43), from: '2026-11-01T00:00:00Z' };
const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://sounds.example',
  DATABASE_URL: 'postgres://sounds:6f1c0e@db.example:5432/sounds',
  S3_ACCESS_KEY_ID: 'AKIA6F1C',
  S3_SECRET_ACCESS_KEY: 'b94c7e1d90',
  STRIPE_SECRET_KEY: 'sk_live_7a1b',
  STRIPE_WEBHOOK_SECRET: 'whsec_7a1b',
  SMTP_URL: 'smtp://mailer:9c2e@mail.example',
  KEYS: JSON.stringify({ 'log-heads': [KEY], certificates: [KEY] }),
};
const refusal = (env: object): string | undefined => {
  try {
    refuseTrialSettings(readConfig({ ...PRODUCTION, ...env }));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

it('[OPS-154] a worker does all kinds of jobs, or those that are named', () => {
  expect(readConfig({}).workKinds).toEqual(['mail', 'sweep', 'nightly', 'encode', 'sound', 'export']);
  expect(readConfig({ WORK_KINDS: 'mail, nightly' }).workKinds).toEqual(['mail', 'nightly']);
  expect(() => readConfig({ WORK_KINDS: 'mail,audio' })).toThrow('WORK_KINDS');
});

it('[CRED-760] first credits are given with demo content, or as FIRST_CREDITS says', () => {
  const given = (env: object) => readConfig({ ...env }).firstCredits;
  expect([given({}), given({ DEMO_CONTENT: 'off' }), given(PRODUCTION)]).toEqual([3, 0, 0]);
  expect([given({ FIRST_CREDITS: '0' }), given({ ...PRODUCTION, FIRST_CREDITS: '5' })]).toEqual([0, 5]);
  expect(() => given({ FIRST_CREDITS: '-1' })).toThrow('FIRST_CREDITS');
});

describe('[OPS-09] production', () => {
  it('takes secrets of its own over https', () => {
    expect(refusal({})).toBeUndefined();
    // The operator of the database decides whether connections need a password.
    expect(refusal({ DATABASE_URL: 'postgres://db.example/sounds' })).toBeUndefined();
  });

  it.each([
    ['keys that only the database holds', { KEYS: undefined }, 'KEYS_FILE'],
    ['certificates without a key', { KEYS: JSON.stringify({ 'log-heads': [KEY] }) }, 'KEYS_FILE'],
    ['an address without TLS', { PUBLIC_URL: 'http://sounds.example' }, 'PUBLIC_URL'],
    ['the keys of the compose file', { S3_SECRET_ACCESS_KEY: 'offcut-secret' }, 'S3_SECRET_ACCESS_KEY'],
    [
      'the keys of an object store fresh out of its box',
      { S3_SECRET_ACCESS_KEY: 'minioadmin' },
      'S3_SECRET_ACCESS_KEY',
    ],
    [
      'the database of the compose file',
      { DATABASE_URL: 'postgres://offcut:offcut@postgres/offcut' },
      'DATABASE_URL',
    ],
    ['the key of the simulator', { STRIPE_SECRET_KEY: 'sk_test_simulator' }, 'STRIPE_SECRET_KEY'],
    [
      'one known secret of two',
      { STRIPE_WEBHOOK_SECRET: 'whsec_own, whsec_simulator' },
      'STRIPE_WEBHOOK_SECRET',
    ],
  ])('refuses %s', (_, env, name) => {
    expect(refusal(env)).toContain(name);
    // Enough to try Offcut.
    expect(
      readConfig({
        ...env,
        S3_ACCESS_KEY_ID: 'x',
        S3_SECRET_ACCESS_KEY: 'y',
        STRIPE_SECRET_KEY: undefined,
        STRIPE_WEBHOOK_SECRET: undefined,
      }),
    ).toBeDefined();
  });

  describe('and a database', () => {
    let test: TestDatabase;
    beforeAll(async () => void (test = await startTestDatabase()), 60_000);
    afterAll(() => test?.close());
    const add = (id: string, email: string | null) =>
      test.database.pool.query(
        `insert into user_account (user_id, email, display_name, created_at, erased_at)
         values ($1, $2, 'Somebody', now(), case when $2::text is null then now() end)`,
        [id, email],
      );

    it('with people of its own, and with demo people that were erased, is taken', async () => {
      await add('ada', 'ada@example.com');
      await add('gone', null);
      await expect(refuseDemoPeople(test.database)).resolves.toBeUndefined();
    });

    it('with demo people is refused by name', async () => {
      await add('demo', 'Admin@Offcut.demo');
      await expect(refuseDemoPeople(test.database)).rejects.toThrow('Admin@Offcut.demo');
    });
  });
});

describe('[OPS-121] files are kept', () => {
  const bucket = (env: Record<string, string | undefined>) => {
    const { s3 } = readConfig(env);
    return s3 && { at: `${s3.origin} ${s3.bucket}`, hasKeys: s3.credentials !== undefined };
  };

  it('in a folder until a bucket, a server or keys are named', () => {
    expect(bucket({ S3_REGION: 'eu-central-1' })).toBeUndefined();
    expect(bucket({ S3_ENDPOINT: 'http://ceph.lan:7480' })).toEqual({
      at: 'http://ceph.lan:7480 sounds',
      hasKeys: false,
    });
    expect(bucket({ S3_BUCKET: 'loops' })).toEqual({
      at: 'https://loops.s3.us-east-1.amazonaws.com loops',
      hasKeys: false,
    });
    expect(bucket({ S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' })).toEqual({
      at: 'https://sounds.s3.us-east-1.amazonaws.com sounds',
      hasKeys: true,
    });
    for (const half of [{ S3_ACCESS_KEY_ID: 'a' }, { S3_PUBLIC_ENDPOINT: 'https://x.example' }])
      expect(() => bucket(half)).toThrow(/^Configuration: /);
  });

  it('[OPS-209] with media at a CDN, at a server and a path', () => {
    const base = (MEDIA_BASE_URL: string, PUBLIC_URL?: string) =>
      readConfig({ MEDIA_BASE_URL, PUBLIC_URL }).mediaBaseUrl;
    expect(readConfig({}).mediaBaseUrl).toBeUndefined();
    expect(base('https://cdn.example/', 'https://offcut.example')).toBe('https://cdn.example');
    expect(base('http://cdn.lan:8080/offcut/v1')).toBe('http://cdn.lan:8080/offcut/v1');
    for (const wrong of [
      'cdn.example',
      'ftp://cdn.example',
      'https://somebody:secret@cdn.example',
      'https://cdn.example/?a=b',
      'https://cdn.example/#a',
      'https://cdn.example//',
      `https://cdn.example/a";img-src *`,
    ])
      expect(() => base(wrong)).toThrow(/^Configuration: MEDIA_BASE_URL/);
    expect(() => base('http://cdn.example', 'https://offcut.example')).toThrow('must begin with https://');
  });

  it('in production in a bucket, with keys that the machine lends too', () => {
    const lent = { ...PRODUCTION, S3_ACCESS_KEY_ID: undefined, S3_SECRET_ACCESS_KEY: undefined };
    expect(() => readConfig(lent)).toThrow('production needs S3_BUCKET');
    expect(refusal({ ...lent, S3_BUCKET: 'loops' })).toBeUndefined();
  });
});

describe('[OPS-10] the address it listens on', () => {
  it('is the loopback one unless HOST says otherwise', () => {
    expect(readConfig({}).serving.host).toBe('127.0.0.1');
    expect(readConfig({ HOST: '0.0.0.0' }).serving.host).toBe('0.0.0.0');
  });

  it('[DOOR-10] warns of what a trial shows beyond this machine', () => {
    const shown = (env: Record<string, string>) => shownByTrial(readConfig(env));
    for (const HOST of ['127.0.0.1', 'localhost', '::1', '127.0.1.1'])
      expect(shown({ HOST })).toBeUndefined();
    expect(shown({ HOST: '0.0.0.0' })).toBe(
      'HOST is 0.0.0.0, so this port exposes demo accounts with a public password and every mail at /dev/mailbox',
    );
    expect(shown({ HOST: '::', DEMO_CONTENT: 'off' })).toMatch(/exposes every mail at/);
    expect(shown({ HOST: '10.0.0.7', SMTP_URL: 'smtp://mail.example' })).toMatch(/public password$/);
    expect(shown({ HOST: '::', DEMO_CONTENT: 'off', SMTP_URL: 'smtp://mail.example' })).toBeUndefined();
    expect(shown({ ...PRODUCTION, HOST: '0.0.0.0' })).toBeUndefined();
  });

  it('answers under names of this machine; in production under those of PUBLIC_URL and ALLOWED_HOSTS', () => {
    expect(readConfig({ PUBLIC_URL: 'http://studio.lan:3000', HOST: '10.0.0.7' }).knownHosts).toEqual([
      'localhost',
      '127.0.0.1',
      '[::1]',
      '10.0.0.7',
      'studio.lan',
    ]);
    // As browsers write it.
    expect(readConfig({ HOST: 'fd00::7' }).knownHosts).toContain('[fd00::7]');
    const allowed = { ...PRODUCTION, ALLOWED_HOSTS: 'www.offcut.example , offcut.lan' };
    expect(readConfig(allowed).knownHosts).toEqual([
      new URL(PRODUCTION.PUBLIC_URL).hostname,
      'www.offcut.example',
      'offcut.lan',
    ]);
    expect(readConfig({}).metrics.isOpen).toBe(true);
    expect(readConfig(PRODUCTION).metrics.isOpen).toBe(false);
    for (const bad of [
      { ALLOWED_HOSTS: 'https://x' },
      { METRICS_TOKEN: 'short' },
      { METRICS_PORT: '0' },
      { SECURITY_CONTACT: 'me' },
    ])
      expect(() => readConfig(bad)).toThrow(/^Configuration: /);
  });
});
