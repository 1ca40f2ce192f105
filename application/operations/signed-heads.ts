import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { WallClock } from '../shared/clock.js';
import { EventStore } from '../shared/event-store.js';
import { ObjectExists, ObjectStorage } from '../storage/object-storage.js';
import { Secrets } from '../shared/secrets.js';
import { ed25519Key } from '../shared/proof/ed25519.js';

const FOLDER = 'log-heads/';
const DAY_MS = 86_400_000;
const AT_ONCE = 8;

/** The head of the log on a day (UTC), stored out of reach of the database's owner. */
const SignedHead = z.strictObject({
  date: z.iso.date(),
  position: z.int().min(1),
  /** The event's hash at that position, hex. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** The day signed before this one: a removed head leaves a gap that the next one names. */
  previous: z.iso.date().nullable(),
  signedAt: z.iso.datetime(),
  /** Ed25519, base64url. */
  signature: z.string(),
});
type SignedHead = z.infer<typeof SignedHead>;

export interface HeadFault {
  date: string;
  detail: string;
}

export interface HeadsVerdict {
  /** Heads with our signature whose event is still in the log. */
  verified: number;
  /** The newest of them. */
  newest: { date: string; position: number } | null;
  /** Forged, contradicted by the log, or taken away. */
  faults: HeadFault[];
  /** Days (UTC) before today on which nothing was signed, because nothing ran. Oldest first. */
  missingDays: string[];
}

/**
 * Signed daily heads of the log, one object a day, never replaced. The chain reveals a log that was changed in
 * place; these reveal a log that was rewritten with every hash recomputed.
 */
@Injectable()
export class SignedHeads {
  #signedOn: string | undefined;

  constructor(
    private readonly log: EventStore,
    private readonly storage: ObjectStorage,
    private readonly secrets: Secrets,
    private readonly clock: WallClock,
  ) {}

  /** Signs today's head if no worker has yet; any number of workers may call it. */
  async signToday(): Promise<void> {
    const now = this.clock.now();
    const date = dayOf(now);
    if (this.#signedOn === date) return;
    const dates = await this.#dates();
    if (!dates.includes(date)) {
      const { position, hash } = await this.log.head();
      if (position === 0) return;
      const facts = { date, position, hash, previous: dates.at(-1) ?? null, signedAt: now.toISOString() };
      const signature = sign(null, bytesOf(facts), await this.#key()).toString('base64url');
      const body = Buffer.from(JSON.stringify({ ...facts, signature }, null, 2));
      await this.storage
        .put(keyOf(date), body, { contentType: 'application/json', ifAbsent: true })
        .catch((error: unknown) => {
          if (!(error instanceof ObjectExists)) throw error;
        });
    }
    this.#signedOn = date;
  }

  /** Holds every stored head against its signature and against the log. */
  async verify(): Promise<HeadsVerdict> {
    const dates = await this.#dates();
    const faults: HeadFault[] = [];
    const heads: SignedHead[] = [];
    const waiting = [...dates];
    const key = createPublicKey(await this.#key());
    const work = async (): Promise<void> => {
      for (let date = waiting.shift(); date; date = waiting.shift()) {
        const head = await this.#read(date, key);
        const detail = head ? await this.#contradiction(head) : 'the signature is not ours';
        if (detail) faults.push({ date, detail });
        else if (head) heads.push(head);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const present = new Set(dates);
    for (const { date, previous } of heads)
      if (previous && !present.has(previous))
        faults.push({ date: previous, detail: `the head of this day is gone, that of ${date} names it` });
    const gone = new Set(faults.map(({ date }) => date));
    const newest = heads.reduce<SignedHead | null>(
      (best, head) => (best && best.date > head.date ? best : head),
      null,
    );
    return {
      verified: heads.length,
      newest: newest && { date: newest.date, position: newest.position },
      faults: faults.toSorted((a, b) => a.date.localeCompare(b.date)),
      missingDays: daysBetween(dates[0], this.clock.now()).filter(
        (day) => !present.has(day) && !gone.has(day),
      ),
    };
  }

  /** Compares the log with a head that we signed. */
  async #contradiction({ position, hash }: SignedHead): Promise<string | undefined> {
    const [event] = await this.log.readStored({ after: position - 1, limit: 1 });
    if (event?.position !== position) return `the log had ${position} events then and has fewer now`;
    return event.hash === hash
      ? undefined
      : `the log up to position ${position} is not the one that was signed: it was rewritten`;
  }

  /** Undefined unless it is exactly what we signed for that day. */
  async #read(date: string, key: KeyObject): Promise<SignedHead | undefined> {
    const text = (await buffer((await this.storage.get(keyOf(date))).body)).toString();
    const parsed = SignedHead.safeParse(jsonOf(text));
    if (!parsed.success || parsed.data.date !== date) return undefined;
    const signature = Buffer.from(parsed.data.signature, 'base64url');
    return verify(null, bytesOf(parsed.data), key, signature) ? parsed.data : undefined;
  }

  /** All stored heads, oldest first. */
  async #dates(): Promise<string[]> {
    const dates: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await this.storage.list({ prefix: FOLDER, ...(cursor ? { cursor } : {}) });
      for (const { key } of page.objects) {
        const [, date] = /^log-heads\/(\d{4}-\d{2}-\d{2})\.json$/.exec(key) ?? [];
        if (date) dates.push(date);
      }
      if (!page.nextCursor) return dates.toSorted();
      cursor = page.nextCursor;
    }
  }

  async #key(): Promise<KeyObject> {
    return ed25519Key(await this.secrets.get('log-head-signing'));
  }
}

const keyOf = (date: string): string => `${FOLDER}${date}.json`;
const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** The signed text: the members in a fixed order. */
function bytesOf({ date, position, hash, previous, signedAt }: Omit<SignedHead, 'signature'>): Buffer {
  return Buffer.from(JSON.stringify([date, position, hash, previous, signedAt]));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Every day from `first` to the day before `now`. */
function daysBetween(first: string | undefined, now: Date): string[] {
  if (first === undefined) return [];
  const days: string[] = [];
  for (let at = Date.parse(first); dayOf(new Date(at)) < dayOf(now); at += DAY_MS)
    days.push(dayOf(new Date(at)));
  return days;
}
