import { sign, verify } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import {
  logRestoreDecider,
  type IgnoredHeads,
  type LogRestore,
  type LogRestored,
} from '../../domain/administration/log-changes.js';
import { WallClock } from '../shared/clock.js';
import { EventStore } from '../shared/event-store.js';
import { inParallel } from '../shared/in-parallel.js';
import { Streams } from '../shared/streams.js';
import { jsonOf } from '../shared/text.js';
import { ObjectStorage, objectsIn, putOnce } from '../storage/object-storage.js';
import { ed25519Keys } from '../shared/proof/ed25519.js';
import { SigningKeys, type KeyRing, type SigningKey } from '../shared/keys/signing-keys.js';
import type { LogPlace } from './verify-chain.js';

const FOLDER = 'log-heads/';
const AGREEMENTS = 'log-agreed/';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LATE_MS = 2 * HOUR_MS;
const AT_ONCE = 8;
/** The clocks of two nodes may differ by this much. */
const SKEW_MS = 5 * 60_000;
/**
 * Every check compares all heads of this period with the log, but only the last head of each earlier day. It also
 * compares each head that has not agreed yet.
 */
const CLOSELY_MS = 2 * DAY_MS;
/** `newest` tries this many heads, because one may be missing or forged. The full check reports such a head. */
const NEWEST = 3;

/** An hour, such as `2026-11-20T14`. In the first months heads were daily: `2026-11-20`. */
const Hour = z.string().regex(/^\d{4}-\d{2}-\d{2}(?:T\d{2})?$/);

/**
 * The head of the log, that is the position and hash of the newest event, signed once for each hour
 * (UTC). It is stored where the owner of the database cannot reach it.
 */
const SignedHead = z
  .strictObject({
    hour: Hour.optional(),
    date: z.iso.date().optional(),
    position: z.int().min(1),
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    /** The hour that was signed before this one. If a head is removed, the next head still names it. */
    previous: Hour.nullable(),
    signedAt: z.iso.datetime(),
    /** The key that signed the head. Absent for the first key. */
    keyId: z.string().optional(),
    signature: z.string(),
  })
  .transform(({ hour, date, ...head }) => ({ ...head, hour: hour ?? date ?? '' }));
export type SignedHead = z.infer<typeof SignedHead>;

/**
 * A signed note that every head up to `hour` agreed with the log, which had this hash at this position. While the log
 * still has that hash there, later checks skip most of these heads. A missing or outdated note only causes more
 * comparisons. The signature prevents forged notes, which could hide faults.
 */
const Agreement = z.strictObject({
  hour: Hour,
  position: z.int().min(1),
  hash: z.string(),
  signedAt: z.iso.datetime(),
  keyId: z.string().optional(),
  signature: z.string(),
});
type Agreement = z.infer<typeof Agreement>;

export interface HeadFault {
  hour: string;
  /** The position of the head, if its signature is ours and the log contradicts it. */
  position?: number;
  detail: string;
}

/** A position whose hash we signed. The log still has this hash there. */
export interface SignedPlace extends LogPlace {
  signedAt: string;
}

export interface HeadsVerdict {
  verified: number;
  newest: { hour: string; signedAt: string; position: number } | null;
  places: SignedPlace[];
  faults: HeadFault[];
  /** The backups that replaced the log, oldest first. The log may contradict the heads that they name. */
  restores: readonly LogRestored['data'][];
  isLate: boolean;
  /** Days (UTC) before today without a signed head, because no worker ran. Oldest first. */
  missingDays: string[];
}

interface Compared {
  agreed: SignedHead[];
  faults: HeadFault[];
}

/**
 * Signs the head of the log once an hour. Stored heads are never replaced. The hash chain reveals a log that was
 * changed in place. Signed heads also reveal a log that was rewritten with every hash recomputed.
 */
@Injectable()
export class SignedHeads {
  private signedIn: string | undefined;

  constructor(
    private readonly log: EventStore,
    private readonly storage: ObjectStorage,
    private readonly keys: SigningKeys,
    private readonly clock: WallClock,
  ) {}

  async signHour(): Promise<void> {
    const now = this.clock.now();
    const hour = hourOf(now);
    if (this.signedIn === hour) return;
    const hours = await this.hours();
    if (!hours.includes(hour)) {
      const { position, hash } = await this.log.head();
      if (position === 0) return;
      const ring = await this.keys.of('log-heads');
      const key = ring.signingAt(now);
      const place = { position, hash, ...signing(key, now) };
      const facts = { hour, ...place, previous: hours.at(-1) ?? null };
      const body = bodyOf({ ...facts, signature: signatureOf(bytesOf(facts), key) });
      await putOnce(this.storage, keyOf(hour), body, { contentType: 'application/json' });
      await this.agree(hours, place, { ring, key });
    }
    this.signedIn = hour;
  }

  async verify(): Promise<HeadsVerdict> {
    const hours = await this.hours();
    const ring = await this.keys.of('log-heads');
    const restores = await this.restores(ring);
    const chosen = compared(hours, await this.agreedUntil(ring), this.clock.now());
    const { agreed, faults } = await this.compare(chosen, { hours, ring, restores });
    const days = new Set([...hours, ...faults.map(({ hour }) => hour)].map(dayOf));
    const newest = agreed.at(-1);
    return {
      verified: agreed.length,
      newest: newest ? { hour: newest.hour, signedAt: newest.signedAt, position: newest.position } : null,
      isLate: newest !== undefined && this.clock.now().getTime() - Date.parse(newest.signedAt) > LATE_MS,
      places: agreed.map(({ position, hash, signedAt }) => ({ position, hash, signedAt })),
      faults,
      restores,
      missingDays: daysBetween(hours[0], this.clock.now()).filter((day) => !days.has(day)),
    };
  }

  /** Returns the newest head with our signature that the log agrees with. Tries only the newest few. */
  async newest(): Promise<HeadsVerdict['newest']> {
    const now = this.clock.now();
    const today = await this.hours(dayOf(hourOf(now)));
    const hours = today.length > 0 ? today : await this.hours();
    const ring = await this.keys.of('log-heads');
    for (const hour of hours.slice(-NEWEST).toReversed()) {
      const head = await this.read(hour, ring);
      if (head && !(await this.contradiction(head)))
        return { hour, signedAt: head.signedAt, position: head.position };
    }
    return null;
  }

  /** Returns the first head that covers an event, has our signature and agrees with the log. */
  async covering({
    position,
    recordedAt,
  }: {
    position: number;
    recordedAt: Date;
  }): Promise<SignedHead | null> {
    const first = hourOf(recordedAt);
    const ring = await this.keys.of('log-heads');
    const firstOf = async (hours: readonly string[]): Promise<SignedHead | null> => {
      for (const hour of hours.filter((each) => each >= first)) {
        const head = await this.read(hour, ring);
        if (head && head.position >= position && !(await this.contradiction(head))) return head;
      }
      return null;
    };
    // Tries heads of the event's day and the next day first, because listing all heads is slow.
    const days = [recordedAt.getTime(), recordedAt.getTime() + DAY_MS].map((at) =>
      dayOf(hourOf(new Date(at))),
    );
    const near = await Promise.all(days.map((day) => this.hours(day)));
    return (await firstOf(near.flat())) ?? firstOf(await this.hours());
  }

  private async compare(
    chosen: readonly string[],
    {
      hours,
      ring,
      restores,
    }: { hours: readonly string[]; ring: KeyRing; restores: HeadsVerdict['restores'] },
  ): Promise<Compared> {
    const present = new Set(hours);
    const agreed: SignedHead[] = [];
    const faults: HeadFault[] = [];
    await inParallel(chosen, AT_ONCE, async (hour) => {
      const head = await this.read(hour, ring);
      if (!head) {
        faults.push({ hour, detail: 'the signature is not ours' });
        return;
      }
      const { position, previous } = head;
      const detail = await this.contradiction(head);
      if (!detail) agreed.push(head);
      else if (!restores.some((restore) => restore.position < position && restore.heads.includes(hour)))
        faults.push({ hour, position, detail });
      if (previous && !present.has(previous))
        faults.push({ hour: previous, detail: `this head is gone, that of ${hour} names it` });
    });
    const byHour = (a: { hour: string }, b: { hour: string }) => a.hour.localeCompare(b.hour);
    return { agreed: agreed.toSorted(byHour), faults: faults.toSorted(byHour) };
  }

  private async restores(ring: KeyRing): Promise<HeadsVerdict['restores']> {
    const restores = await new Streams(this.log).load(logRestoreDecider, undefined);
    return restores.filter((restore) => isOurs(restore, bytesOfRestore(restore), ring));
  }

  /** Stores the hour up to which all heads agree. @param place the head of the log before the comparison */
  private async agree(
    hours: readonly string[],
    place: Omit<Agreement, 'hour' | 'signature'>,
    { ring, key }: { ring: KeyRing; key: SigningKey },
  ): Promise<void> {
    const former = await this.agreedUntil(ring);
    const chosen = hours.filter((hour) => hour > former);
    const restores = await this.restores(ring);
    const { agreed, faults } = await this.compare(chosen, { hours, ring, restores });
    // Another node may have signed a later position after `place` was
    // read. `place` proves nothing about later positions.
    const open = [...faults, ...agreed.filter(({ position }) => position > place.position)].map(
      ({ hour }) => hour,
    );
    const [first] = open.toSorted();
    const hour = hours.findLast((each) => first === undefined || each < first);
    if (hour === undefined) return;
    const facts = { hour, ...place };
    await this.storage.put(
      `${AGREEMENTS}${dayOf(place.signedAt)}.json`,
      bodyOf({ ...facts, signature: signatureOf(bytesOfAgreement(facts), key) }),
      { contentType: 'application/json' },
    );
  }

  /** Returns the hour up to which all heads agreed with the present log. Empty if unknown. */
  private async agreedUntil(ring: KeyRing): Promise<string> {
    const days = await this.named(AGREEMENTS);
    for (const day of days.toReversed()) {
      const { success, data } = Agreement.safeParse(await this.json(`${AGREEMENTS}${day}.json`));
      if (!success || data.hour > hourOf(new Date(data.signedAt))) continue;
      if (isOurs(data, bytesOfAgreement(data), ring) && !(await this.contradiction(data))) return data.hour;
    }
    return '';
  }

  private async contradiction({ position, hash }: LogPlace): Promise<string | undefined> {
    const [event] = await this.log.readStored({ after: position - 1, limit: 1 });
    if (event?.position !== position) return `the log had ${position} events then and has fewer now`;
    return event.hash === hash
      ? undefined
      : `the log up to position ${position} is not the one that was signed: it was rewritten`;
  }

  /** Returns undefined unless the head is exactly what we signed for that hour, with the key of that time. */
  private async read(hour: string, ring: KeyRing): Promise<SignedHead | undefined> {
    const { success, data } = SignedHead.safeParse(await this.json(keyOf(hour)));
    return success && data.hour === hour && isOurs(data, bytesOf(data), ring) ? data : undefined;
  }

  private async json(key: string): Promise<unknown> {
    return jsonOf((await buffer((await this.storage.get(key)).body)).toString());
  }

  private hours(of = ''): Promise<string[]> {
    return this.named(FOLDER, of);
  }

  private async named(folder: string, of = ''): Promise<string[]> {
    const objects = await objectsIn(this.storage, folder + of);
    return objects.flatMap(({ key }) => NAME.exec(key.slice(folder.length))?.[1] ?? []).toSorted();
  }
}

/** The name of an object: an hour, or a day. */
const NAME = /^(\d{4}-\d{2}-\d{2}(?:T\d{2})?)\.json$/;
const keyOf = (hour: string): string => `${FOLDER}${hour}.json`;
const hourOf = (time: Date): string => time.toISOString().slice(0, 13);
const dayOf = (hour: string): string => hour.slice(0, 10);

function compared(hours: readonly string[], agreedUntil: string, now: Date): string[] {
  const closely = hourOf(new Date(now.getTime() - CLOSELY_MS));
  return hours.filter(
    (hour, at) => hour >= closely || hour > agreedUntil || dayOf(hours[at + 1] ?? '') !== dayOf(hour),
  );
}

/** Returns the signed text: the members in a fixed order. */
function bytesOf({ hour, position, hash, previous, signedAt, keyId }: Omit<SignedHead, 'signature'>): Buffer {
  const members = [hour, position, hash, previous, signedAt, ...(keyId === undefined ? [] : [keyId])];
  return Buffer.from(JSON.stringify(members));
}

/** Returns the signed text. It begins with `agreed`, so that a head's signature is never valid for an agreement. */
function bytesOfAgreement({ hour, position, hash, signedAt, keyId }: Omit<Agreement, 'signature'>): Buffer {
  return Buffer.from(JSON.stringify(['agreed', hour, position, hash, signedAt, keyId ?? null]));
}

type Signed = Pick<LogRestore, 'signedAt' | 'keyId' | 'signature'>;

function bytesOfRestore(restore: IgnoredHeads & Omit<Signed, 'signature'>): Buffer {
  const { approvalId, position, heads, by, approvedBy, signedAt, keyId } = restore;
  return Buffer.from(
    JSON.stringify(['restored', approvalId, position, heads, by, approvedBy, signedAt, keyId ?? null]),
  );
}

/** Signs the list of heads that a restored log may contradict. Two people approved the list. */
export function signRestore(restore: IgnoredHeads, ring: KeyRing, now: Date): Signed {
  const key = ring.signingAt(now);
  const by = signing(key, now);
  return { ...by, signature: signatureOf(bytesOfRestore({ ...restore, ...by }), key) };
}

export const signing = (key: SigningKey, now: Date): Omit<Signed, 'signature'> => ({
  signedAt: now.toISOString(),
  ...(key.id !== undefined && { keyId: key.id }),
});

export const signatureOf = (bytes: Buffer, { secret }: SigningKey): string =>
  sign(null, bytes, ed25519Keys(secret).privateKey).toString('base64url');

const bodyOf = (signed: object): Buffer => Buffer.from(JSON.stringify(signed, null, 2));

export function isOurs(
  { keyId, signedAt, signature }: { keyId?: string | undefined; signedAt: string; signature: string },
  bytes: Buffer,
  ring: KeyRing,
): boolean {
  const key = ring.named(keyId);
  if (!key) return false;
  const at = Date.parse(signedAt);
  const end = ring.endOf(key)?.getTime() ?? Infinity;
  if (at < key.from.getTime() - SKEW_MS || at > end + SKEW_MS) return false;
  return verify(null, bytes, ed25519Keys(key.secret).publicKey, Buffer.from(signature, 'base64url'));
}

function daysBetween(first: string | undefined, now: Date): string[] {
  if (first === undefined) return [];
  const days: string[] = [];
  const today = dayOf(hourOf(now));
  for (let at = Date.parse(dayOf(first)); dayOf(hourOf(new Date(at))) < today; at += DAY_MS)
    days.push(dayOf(hourOf(new Date(at))));
  return days;
}
