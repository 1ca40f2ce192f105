import { sign, verify } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { WallClock } from '../shared/clock.js';
import { EventStore } from '../shared/event-store.js';
import { ObjectExists, ObjectStorage } from '../storage/object-storage.js';
import { ed25519Keys } from '../shared/proof/ed25519.js';
import { SigningKeys, type KeyRing } from '../shared/keys/signing-keys.js';
import type { LogPlace } from './verify-chain.js';

const FOLDER = 'log-heads/';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LATE_MS = 2 * HOUR_MS;
const AT_ONCE = 8;
/** Clocks of nodes may differ by so much. */
const SKEW_MS = 5 * 60_000;
/** Each head of this time is compared with the log; of the days before it the last one, which covers the others. */
const CLOSELY_MS = 2 * DAY_MS;
/** Beside a head that is forged or gone there are others; the check of all of them tells about it. */
const NEWEST = 3;

/** `2026-11-20T14`; the heads of the first months have the day alone. */
const Hour = z.string().regex(/^\d{4}-\d{2}-\d{2}(?:T\d{2})?$/);

/** The head of the log in an hour (UTC), stored out of reach of the database's owner. */
const SignedHead = z
  .strictObject({
    hour: Hour.optional(),
    /** Of the daily heads. */
    date: z.iso.date().optional(),
    position: z.int().min(1),
    /** The event's hash at that position, hex. */
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    /** The hour signed before this one: a removed head leaves a gap that the next one names. */
    previous: Hour.nullable(),
    signedAt: z.iso.datetime(),
    /** The key that signed it; absent: the first one. */
    keyId: z.string().optional(),
    /** Ed25519, base64url. */
    signature: z.string(),
  })
  .transform(({ hour, date, ...head }) => ({ ...head, hour: hour ?? date ?? '' }));
type SignedHead = z.infer<typeof SignedHead>;

export interface HeadFault {
  /** The hour, or day, that the head names. */
  hour: string;
  detail: string;
}

/** A place in the log whose hash we signed, and the log agrees. */
export interface SignedPlace extends LogPlace {
  signedAt: string;
}

export interface HeadsVerdict {
  /** Heads with our signature whose event is still in the log. */
  verified: number;
  /** The newest of them. */
  newest: { hour: string; signedAt: string; position: number } | null;
  /** Where those of them are that were compared, oldest first. */
  places: SignedPlace[];
  /** Forged, contradicted by the log, or taken away. */
  faults: HeadFault[];
  /** Days (UTC) before today on which nothing was signed, because nothing ran. Oldest first. */
  /** No head was signed for `LATE_MS`. */
  isLate: boolean;
  missingDays: string[];
}

/**
 * Signed heads of the log, one object an hour, never replaced. The chain reveals a log that was changed in place; these
 * reveal a log that was rewritten with every hash recomputed.
 */
@Injectable()
export class SignedHeads {
  #signedIn: string | undefined;

  constructor(
    private readonly log: EventStore,
    private readonly storage: ObjectStorage,
    private readonly keys: SigningKeys,
    private readonly clock: WallClock,
  ) {}

  /** Signs the head of this hour if no worker has yet; any number of workers may call it. */
  async signHour(): Promise<void> {
    const now = this.clock.now();
    const hour = hourOf(now);
    if (this.#signedIn === hour) return;
    const hours = await this.#hours();
    if (!hours.includes(hour)) {
      const { position, hash } = await this.log.head();
      if (position === 0) return;
      const key = (await this.keys.of('log-heads')).signingAt(now);
      const facts = {
        hour,
        position,
        hash,
        previous: hours.at(-1) ?? null,
        signedAt: now.toISOString(),
        ...(key.id !== undefined && { keyId: key.id }),
      };
      const signature = sign(null, bytesOf(facts), ed25519Keys(key.secret).privateKey).toString('base64url');
      const body = Buffer.from(JSON.stringify({ ...facts, signature }, null, 2));
      await this.storage
        .put(keyOf(hour), body, { contentType: 'application/json', ifAbsent: true })
        .catch((error: unknown) => {
          if (!(error instanceof ObjectExists)) throw error;
        });
    }
    this.#signedIn = hour;
  }

  /** Holds the stored heads against their signatures and against the log. */
  async verify(): Promise<HeadsVerdict> {
    const hours = await this.#hours();
    const faults: HeadFault[] = [];
    const heads: SignedHead[] = [];
    const waiting = compared(hours, this.clock.now());
    const ring = await this.keys.of('log-heads');
    const work = async (): Promise<void> => {
      for (let hour = waiting.shift(); hour; hour = waiting.shift()) {
        const head = await this.#read(hour, ring);
        const detail = head ? await this.#contradiction(head) : 'the signature is not ours';
        if (detail) faults.push({ hour, detail });
        else if (head) heads.push(head);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const present = new Set(hours);
    for (const { hour, previous } of heads)
      if (previous && !present.has(previous))
        faults.push({ hour: previous, detail: `this head is gone, that of ${hour} names it` });
    const days = new Set([...hours, ...faults.map(({ hour }) => hour)].map(dayOf));
    const sorted = heads.toSorted((a, b) => a.hour.localeCompare(b.hour));
    const newest = sorted.at(-1);
    return {
      verified: heads.length,
      newest: newest ? { hour: newest.hour, signedAt: newest.signedAt, position: newest.position } : null,
      isLate: newest !== undefined && this.clock.now().getTime() - Date.parse(newest.signedAt) > LATE_MS,
      places: sorted.map(({ position, hash, signedAt }) => ({ position, hash, signedAt })),
      faults: faults.toSorted((a, b) => a.hour.localeCompare(b.hour)),
      missingDays: daysBetween(hours[0], this.clock.now()).filter((day) => !days.has(day)),
    };
  }

  /** The newest head with our signature that the log agrees with, of the newest few. */
  async newest(): Promise<HeadsVerdict['newest']> {
    const now = this.clock.now();
    const today = await this.#hours(dayOf(hourOf(now)));
    const hours = today.length > 0 ? today : await this.#hours();
    const ring = await this.keys.of('log-heads');
    for (const hour of hours.slice(-NEWEST).toReversed()) {
      const head = await this.#read(hour, ring);
      if (head && !(await this.#contradiction(head)))
        return { hour, signedAt: head.signedAt, position: head.position };
    }
    return null;
  }

  /** Compares the log with a head that we signed. */
  async #contradiction({ position, hash }: SignedHead): Promise<string | undefined> {
    const [event] = await this.log.readStored({ after: position - 1, limit: 1 });
    if (event?.position !== position) return `the log had ${position} events then and has fewer now`;
    return event.hash === hash
      ? undefined
      : `the log up to position ${position} is not the one that was signed: it was rewritten`;
  }

  /** Undefined unless it is exactly what we signed for that hour, with the key of that time. */
  async #read(hour: string, ring: KeyRing): Promise<SignedHead | undefined> {
    const text = (await buffer((await this.storage.get(keyOf(hour))).body)).toString();
    const parsed = SignedHead.safeParse(jsonOf(text));
    if (!parsed.success || parsed.data.hour !== hour) return undefined;
    const head = parsed.data;
    const key = ring.named(head.keyId);
    if (!key) return undefined;
    const signedAt = Date.parse(head.signedAt);
    const end = ring.endOf(key)?.getTime() ?? Infinity;
    if (signedAt < key.from.getTime() - SKEW_MS || signedAt > end + SKEW_MS) return undefined;
    const { publicKey } = ed25519Keys(key.secret);
    return verify(null, bytesOf(head), publicKey, Buffer.from(head.signature, 'base64url'))
      ? head
      : undefined;
  }

  /** Of all stored heads, oldest first. @param of those that begin so */
  async #hours(of = ''): Promise<string[]> {
    const hours: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await this.storage.list({ prefix: FOLDER + of, ...(cursor ? { cursor } : {}) });
      for (const { key } of page.objects) {
        const [, hour] = /^log-heads\/(\d{4}-\d{2}-\d{2}(?:T\d{2})?)\.json$/.exec(key) ?? [];
        if (hour) hours.push(hour);
      }
      if (!page.nextCursor) return hours.toSorted();
      cursor = page.nextCursor;
    }
  }
}

const keyOf = (hour: string): string => `${FOLDER}${hour}.json`;
const hourOf = (time: Date): string => time.toISOString().slice(0, 13);
const dayOf = (hour: string): string => hour.slice(0, 10);

/** @param hours oldest first */
function compared(hours: readonly string[], now: Date): string[] {
  const closely = hourOf(new Date(now.getTime() - CLOSELY_MS));
  return hours.filter((hour, at) => hour >= closely || dayOf(hours[at + 1] ?? '') !== dayOf(hour));
}

/** The signed text: the members in a fixed order. */
function bytesOf({ hour, position, hash, previous, signedAt, keyId }: Omit<SignedHead, 'signature'>): Buffer {
  const members = [hour, position, hash, previous, signedAt, ...(keyId === undefined ? [] : [keyId])];
  return Buffer.from(JSON.stringify(members));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Every day from that of `first` to the day before `now`. */
function daysBetween(first: string | undefined, now: Date): string[] {
  if (first === undefined) return [];
  const days: string[] = [];
  const today = dayOf(hourOf(now));
  for (let at = Date.parse(dayOf(first)); dayOf(hourOf(new Date(at))) < today; at += DAY_MS)
    days.push(dayOf(hourOf(new Date(at))));
  return days;
}
