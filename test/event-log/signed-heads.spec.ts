import { sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DiskObjectStorage } from '../../adapters/vendors/disk/disk-object-storage.js';
import { doctor } from '../../cli/doctor.command.js';
import type { Tools } from '../../cli/tools.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import {
  NO_KEYS,
  SigningKeys,
  type ConfiguredKey,
  type ConfiguredKeys,
} from '../../application/shared/keys/signing-keys.js';
import { PostgresSecrets } from '../../adapters/platform/database/postgres-secrets.js';
import { SignedHeads, signRestore } from '../../application/operations/signed-heads.js';
import { verifyChain } from '../../application/operations/verify-chain.js';
import { logRestoreDecider } from '../../domain/administration/log-changes.js';
import { Streams } from '../../application/shared/streams.js';
import { ed25519Keys } from '../../application/shared/proof/ed25519.js';
import { GENESIS_HASH, nextHash } from '../../application/shared/proof/hash-chain.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

describe('signed hourly heads of the log', () => {
  let test: TestDatabase;
  let folder: string;
  let storage: DiskObjectStorage;
  let log: PostgresEventStore;
  let heads: SignedHeads;
  let today: string;
  let hour = 10;
  const clock = { now: () => new Date(`${today}T${hour}:00:00Z`) };
  const sql = (text: string, values?: unknown[]) => test.database.pool.query(text, values);
  const keyOf = (date: string, at = hour) => `log-heads/${date}T${at}.json`;
  const read = async (date: string) =>
    JSON.parse((await buffer((await storage.get(keyOf(date))).body)).toString());
  const write = (date: string, head: object) =>
    storage.put(keyOf(date), Buffer.from(JSON.stringify(head)), { contentType: 'application/json' });
  /** Returns the worker's signed heads, as after a restart. */
  const worker = (configured: ConfiguredKeys = NO_KEYS) =>
    new SignedHeads(log, storage, new SigningKeys(new PostgresSecrets(test.database), configured), clock);

  const note = async (n: number) => {
    await log.append([{ stream: `s-${n}`, expectedVersion: 0, events: [{ type: 'Noted', data: { n } }] }], {
      actor: 'ada',
      correlationId: `c${n}`,
    });
  };
  /** Records three events a day, and signs a head each day. */
  const days = async (...dates: string[]) => {
    for (const date of dates) {
      today = date;
      const { position } = await log.head();
      for (let n = 1; n <= 3; n += 1) await note(position + n);
      await worker().signHour();
    }
  };
  /** Rewrites the log with the rights of the database owner and knowledge of the chain. */
  const rewriteFrom = async (position: number) => {
    await sql(`update event set data = '{"n":1000}' where position = $1`, [position]);
    let hash = GENESIS_HASH;
    for (const event of await log.readStored({ after: 0, limit: 1_000 })) {
      hash = nextHash(hash, event);
      await sql(`update event set hash = decode($2, 'hex') where position = $1`, [event.position, hash]);
    }
    await sql(
      `update log_end set hash = decode($1, 'hex') where position = (select max(position) from log_end)`,
      [hash],
    );
  };

  /** Leaves the part of the log that a restored backup has. */
  const restoreTo = async (position: number) => {
    await sql('delete from event where position > $1', [position]);
    await sql('delete from log_end where position > $1', [position]);
  };
  const recordRestore = async (position: number, ...excused: string[]) => {
    const ring = await new SigningKeys(new PostgresSecrets(test.database), NO_KEYS).of('log-heads');
    const restore = { approvalId: `a${position}`, position, heads: excused, by: 'ada', approvedBy: 'ben' };
    const signed = { ...restore, ...signRestore(restore, ring, clock.now()), reason: '' };
    const record = (given: typeof signed) =>
      new Streams(log).execute(
        logRestoreDecider,
        undefined,
        { type: 'RecordRestore', restore: given, now: clock.now().toISOString() },
        { actor: 'ada', correlationId: 'c' },
      );
    // A database owner can append an event, but cannot sign it.
    const before = await faulty();
    await record({ ...signed, approvalId: `forged ${position}` });
    expect(await faulty()).toEqual(before);
    await record(signed);
  };
  const doctorOnHeads = async () => {
    const told: string[] = [];
    const app = { get: () => worker() };
    const signingKeys = new SigningKeys(new PostgresSecrets(test.database), NO_KEYS);
    const tools = {
      database: test.database,
      eventStore: log,
      storage,
      app,
      config: {},
      signingKeys,
      wallClock: clock,
    };
    await doctor(tools as unknown as Tools, { isJson: false }, (line) => told.push(line));
    return told.find((line) => line.includes('signed heads'));
  };
  const faulty = async () => (await worker().verify()).faults.map(({ hour: at }) => at);

  beforeAll(async () => {
    test = await startTestDatabase();
    await sql('alter table event disable trigger user');
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    if (folder) rmSync(folder, { recursive: true, force: true });
    hour = 10;
    folder = mkdtempSync(join(tmpdir(), 'offcut-heads-'));
    const signingKey = Buffer.alloc(32, 7);
    storage = new DiskObjectStorage({ root: folder, publicUrl: 'http://localhost', signingKey, clock });
    log = new PostgresEventStore(test.database, clock);
    heads = worker();
    await sql('truncate event');
    await sql(`delete from log_end where position > 0`);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('[FIN-19] signs one head an hour, whoever asks and how often, and none of an empty log', async () => {
    today = '2026-11-01';
    await heads.signHour();
    expect(await heads.verify()).toMatchObject({
      verified: 0,
      isLate: false,
      newest: null,
      faults: [],
      missingDays: [],
    });
    await days('2026-11-01');
    const first = await read('2026-11-01');
    await note(4);
    await Promise.all([worker().signHour(), worker().signHour(), heads.signHour()]);
    expect(await read('2026-11-01')).toEqual(first);
    expect(first).toMatchObject({ hour: '2026-11-01T10', position: 3, previous: null });
    await days('2026-11-02');
    expect(await read('2026-11-02')).toMatchObject({ position: 7, previous: '2026-11-01T10' });
    expect(await heads.verify()).toEqual({
      verified: 2,
      newest: { hour: '2026-11-02T10', signedAt: '2026-11-02T10:00:00.000Z', position: 7 },
      places: [
        { position: 3, hash: first.hash, signedAt: '2026-11-01T10:00:00.000Z' },
        { position: 7, hash: (await log.head()).hash, signedAt: '2026-11-02T10:00:00.000Z' },
      ],
      faults: [],
      restores: [],
      isLate: false,
      missingDays: [],
    });
    hour = 13;
    expect((await heads.verify()).isLate).toBe(true);
  });

  it('[FIN-19] finds a log that was written anew with every hash recomputed, and names the days', async () => {
    await days('2026-11-01', '2026-11-02', '2026-11-03');
    await rewriteFrom(5);
    // The hash chain alone does not detect it.
    expect(await verifyChain(log)).toMatchObject({ verified: true, position: 9 });
    const { faults, newest, verified } = await heads.verify();
    expect(faults.map(({ hour: at }) => at)).toEqual(['2026-11-02T10', '2026-11-03T10']);
    expect(faults[0]?.detail).toBe(
      'the log up to position 6 is not the one that was signed: it was rewritten',
    );
    expect([newest?.hour, verified]).toEqual(['2026-11-01T10', 1]);
  });

  it('[FIN-19] finds a log whose end was cut off with its head', async () => {
    await days('2026-11-01', '2026-11-02');
    await restoreTo(4);
    expect(await verifyChain(log)).toMatchObject({ verified: true, position: 4 });
    expect((await heads.verify()).faults).toEqual([
      { hour: '2026-11-02T10', position: 6, detail: 'the log had 6 events then and has fewer now' },
    ]);
  });

  it.each([
    ['another hash', (head: object) => ({ ...head, hash: 'ab'.repeat(32) })],
    ['another position', (head: object) => ({ ...head, position: 1 })],
    ['a signature of somebody else', (head: object) => ({ ...head, signature: 'A'.repeat(86) })],
    ['nothing we know', () => ({ hello: 'world' })],
  ])('[FIN-19] refuses a forged head: %s', async (_, forged) => {
    await days('2026-11-01', '2026-11-02');
    await write('2026-11-02', forged(await read('2026-11-02')));
    expect((await heads.verify()).faults).toEqual([
      { hour: '2026-11-02T10', detail: 'the signature is not ours' },
    ]);
  });

  it('[FIN-19] refuses the head of one day under the name of another', async () => {
    await days('2026-11-01', '2026-11-02');
    await write('2026-11-02', await read('2026-11-01'));
    expect((await heads.verify()).faults).toHaveLength(1);
  });

  it('[FIN-19] tells a day on which nothing ran from a head that was taken away', async () => {
    await days('2026-11-01', '2026-11-02', '2026-11-05');
    today = '2026-11-07';
    expect(await heads.verify()).toMatchObject({
      verified: 3,
      faults: [],
      missingDays: ['2026-11-03', '2026-11-04', '2026-11-06'],
    });
    await storage.delete(keyOf('2026-11-02'));
    const { faults, missingDays } = await heads.verify();
    expect(faults).toEqual([
      { hour: '2026-11-02T10', detail: 'this head is gone, that of 2026-11-05T10 names it' },
    ]);
    expect(missingDays).toEqual(['2026-11-03', '2026-11-04', '2026-11-06']);
  });

  it('[FIN-19] the doctor says which head is wrong', async () => {
    await days('2026-11-01', '2026-11-02');
    expect(await doctorOnHeads()).toBe(
      'ok      signed heads: 2 agree with the log, the newest is 0 minutes old',
    );
    hour = 12;
    expect(await doctorOnHeads()).toBe(
      'ok      signed heads: 2 agree with the log, the newest is 120 minutes old',
    );
    hour = 13;
    expect(await doctorOnHeads()).toBe(
      'FAILED  signed heads: the newest is 180 minutes old: no worker signs new ones',
    );
    await rewriteFrom(4);
    expect(await doctorOnHeads()).toMatch(
      /^FAILED {2}signed heads: 1 do not match, the first of 2026-11-02T10: the log/,
    );
  });

  it('[FIN-19] compares every head of two days with the log, and of earlier days the last', async () => {
    for (hour = 10; hour < 13; hour += 1) await days('2026-11-01');
    hour = 10;
    await days('2026-11-03');
    expect((await heads.verify()).verified).toBe(4);
    await days('2026-11-05');
    // The head of the 1st at 12 covers those at 10 and 11.
    expect((await heads.verify()).verified).toBe(3);
  });

  it('[FIN-560] a log that was rewritten within a day contradicts its heads for ever', async () => {
    await days('2026-11-01');
    hour = 11;
    await days('2026-11-02');
    await rewriteFrom(5);
    for (hour = 12; hour < 15; hour += 1) await days('2026-11-02');
    expect(await faulty()).toEqual(['2026-11-02T11']);
    for (const date of ['2026-11-03', '2026-11-05', '2026-12-24']) {
      hour = 10;
      await days(date);
      hour = 11;
      expect(await faulty()).toEqual(['2026-11-02T11']);
    }
    // A mark from before the rewrite, or a forged one, hides nothing.
    const { objects } = await storage.list({ prefix: 'log-agreed/' });
    const text = async (key: string) => (await buffer((await storage.get(key)).body)).toString();
    const newest = objects.at(-1)?.key ?? '';
    const forged = { ...JSON.parse(await text(newest)), hour: '2026-12-24T10' };
    await storage.put(newest, Buffer.from(JSON.stringify(forged)), { contentType: 'application/json' });
    expect(await faulty()).toEqual(['2026-11-02T11']);
  });

  it('[FIN-560] compares heads that agreed once no more, and all again where the log lost its agreement', async () => {
    for (hour = 10; hour < 15; hour += 1) await days('2026-11-01');
    hour = 10;
    await days('2026-11-05');
    const read = jest.spyOn(storage, 'get').mockClear();
    hour = 11;
    await days('2026-11-05');
    expect(read.mock.calls.filter(([key]) => key.startsWith('log-heads/')).length).toBeLessThanOrEqual(1);
    await restoreTo(4);
    expect(await faulty()).toEqual(
      ['11', '12', '13', '14'].map((at) => `2026-11-01T${at}`).concat(['2026-11-05T10', '2026-11-05T11']),
    );
  });

  it('[FIN-561] a recorded restore excuses by name the heads after it, and nothing else', async () => {
    await days('2026-11-01', '2026-11-02', '2026-11-03');
    await restoreTo(4);
    today = '2026-11-04';
    for (let n = 101; n < 105; n += 1) await note(n);
    await worker().signHour();
    expect(await faulty()).toEqual(['2026-11-02T10', '2026-11-03T10']);
    await recordRestore(4, '2026-11-02T10');
    expect(await faulty()).toEqual(['2026-11-03T10']);
    // Its position is not after the restored one.
    await recordRestore(9, '2026-11-03T10');
    expect(await faulty()).toEqual(['2026-11-03T10']);
    await recordRestore(5, '2026-11-03T10');
    expect(await worker().verify()).toMatchObject({
      verified: 2,
      faults: [],
      restores: [
        { position: 4, heads: ['2026-11-02T10'] },
        { position: 9, heads: ['2026-11-03T10'] },
        { position: 5, heads: ['2026-11-03T10'] },
      ],
    });
    expect(await doctorOnHeads()).toContain(
      'restored to event 4 at 2026-11-04T10:00:00.000Z, which excuses the heads of 2026-11-02T10',
    );
    // Contradictions of other heads, and forged heads, are still reported.
    await write('2026-11-03', { ...(await read('2026-11-03')), position: 8 });
    expect(await faulty()).toEqual(['2026-11-03T10']);
    await days('2026-11-05', '2026-11-09');
    await rewriteFrom(2);
    expect(await faulty()).toEqual([
      '2026-11-01T10',
      '2026-11-03T10',
      '2026-11-04T10',
      '2026-11-05T10',
      '2026-11-09T10',
    ]);
  });

  it('[FIN-19] still takes the daily heads of earlier versions', async () => {
    await days('2026-11-01');
    const { hour: _hour, signature: _signature, ...rest } = await read('2026-11-01');
    const daily = { date: '2026-11-01', ...rest, previous: null };
    const members = [daily.date, daily.position, daily.hash, null, daily.signedAt];
    const { privateKey } = ed25519Keys(await new PostgresSecrets(test.database).get('log-head-signing'));
    const signature = sign(null, Buffer.from(JSON.stringify(members)), privateKey).toString('base64url');
    await storage.delete(keyOf('2026-11-01'));
    await storage.put('log-heads/2026-11-01.json', Buffer.from(JSON.stringify({ ...daily, signature })), {
      contentType: 'application/json',
    });
    await days('2026-11-02');
    expect(await read('2026-11-02')).toMatchObject({ previous: '2026-11-01' });
    expect(await heads.verify()).toMatchObject({ verified: 2, faults: [] });
  });

  describe('[KEYS-01] with keys outside the database', () => {
    const key = (id: string, byte: number, from: string): ConfiguredKey => ({
      id,
      secret: Buffer.alloc(32, byte),
      from: new Date(from),
      withdrawn: false,
    });
    const ring = (...keys: ConfiguredKey[]): ConfiguredKeys => ({ ...NO_KEYS, 'log-heads': keys });
    const before = key('before', 1, '2026-11-02T00:00:00Z');
    const after = key('after', 2, '2026-11-03T00:00:00Z');

    it('signs with the key of the time, and former keys verify what they signed', async () => {
      await days('2026-11-01');
      for (today of ['2026-11-02', '2026-11-03']) await worker(ring(before, after)).signHour();
      const ids = [];
      for (const date of ['2026-11-01', '2026-11-02', '2026-11-03']) ids.push((await read(date)).keyId);
      expect(ids).toEqual([undefined, 'before', 'after']);
      expect(await worker(ring(before, after)).verify()).toMatchObject({ verified: 3, faults: [] });
      expect((await worker(ring(after)).verify()).faults).toHaveLength(1);
    });

    it('believes no former key, nor that of the database, about a later time', async () => {
      await days('2026-11-01');
      today = '2026-11-02';
      // Heads that a person with the database or a replaced key could sign.
      await worker().signHour();
      today = '2026-11-03';
      await worker(ring(before)).signHour();
      expect((await worker(ring(before, after)).verify()).faults.map(({ hour: at }) => at)).toEqual([
        '2026-11-02T10',
        '2026-11-03T10',
      ]);
    });
  });
});
