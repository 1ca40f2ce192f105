import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import * as z from 'zod';
import { WallClock } from '../shared/clock.js';
import { EventStore } from '../shared/event-store.js';
import { inParallel } from '../shared/in-parallel.js';
import { jsonOf } from '../shared/text.js';
import { ObjectStorage, objectsIn } from '../storage/object-storage.js';
import type { OrderedMail } from './outbox.js';

const FOLDER = 'sent-mails/';
const PAUSE_MS = 5_000;
const AT_ONCE = 8;
/** While the storage is unavailable, at most this many notes wait in memory. Older notes are dropped. */
const MOST_WAITING = 10_000;
const DAY_MS = 86_400_000;

/** A note that a mail about an event was sent. It contains no address and no text. */
const SentMail = z.object({
  sentAt: z.iso.datetime(),
  /** The type of the event, or the name of a mail about many events. */
  about: z.string(),
  /** The newest event that the mail can be about. */
  position: z.int(),
  hash: z.string(),
  /** Null if the address has no account. */
  userId: z.string().nullable(),
});
export type SentMail = z.infer<typeof SentMail>;
type Sent = Omit<SentMail, 'sentAt'>;
interface Batch {
  key: string;
  mails: SentMail[];
}

export class SentMailSettings {
  constructor(readonly keptDays: number) {}
}

/**
 * Keeps a note of each sent mail outside the database, because a restored database does not know the mails that were
 * sent after the backup. Sending never waits for a note. If a worker is killed, its notes of the last seconds are lost.
 */
@Injectable()
export class SentMails implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Mail');
  private waiting: SentMail[] = [];
  /** Keeps its key when it is stored again, so that a write whose answer was lost is not stored twice. */
  private batch: Batch | undefined;
  private timer: NodeJS.Timeout | undefined;
  private storing: Promise<void> | undefined;

  constructor(
    private readonly storage: ObjectStorage,
    private readonly log: EventStore,
    private readonly clock: WallClock,
    private readonly settings: SentMailSettings,
  ) {}

  note({ about, position, hash, userId }: Sent): void {
    this.waiting.push({ sentAt: this.clock.now().toISOString(), about, position, hash, userId });
    if (this.waiting.length > MOST_WAITING) this.waiting.shift();
    this.later();
  }

  /** Notes a mail about many events, with the head of the log. Never rejects. */
  async noteSummary({ letter: about, userId }: Pick<OrderedMail, 'letter' | 'userId'>): Promise<void> {
    try {
      this.note({ about, userId, ...(await this.log.head()) });
    } catch (error) {
      this.warn(error);
    }
  }

  /** Stores the notes. Never rejects: notes that could not be stored wait for the next attempt. */
  flush(): Promise<void> {
    this.storing ??= this.store().finally(() => {
      this.storing = undefined;
    });
    return this.storing;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
    clearTimeout(this.timer);
  }

  /** Returns the mails that were sent since a time, oldest first. @throws StorageUnavailable */
  async since(since: Date): Promise<SentMail[]> {
    const found: SentMail[] = [];
    const stored = await objectsIn(this.storage, FOLDER);
    const from = keyOf(since);
    await inParallel(
      stored.filter(({ key }) => key >= from),
      AT_ONCE,
      async ({ key }) => {
        const text = (await buffer((await this.storage.get(key)).body)).toString();
        const { data = [] } = z.array(SentMail).safeParse(jsonOf(text));
        found.push(...data.filter(({ sentAt }) => new Date(sentAt) >= since));
      },
    );
    return found.toSorted((a, b) => a.sentAt.localeCompare(b.sentAt));
  }

  /** Deletes notes that are older than `keptDays`. */
  async forget(): Promise<void> {
    const until = keyOf(new Date(this.clock.now().getTime() - this.settings.keptDays * DAY_MS));
    const stored = await objectsIn(this.storage, FOLDER);
    await inParallel(
      stored.filter(({ key }) => key < until),
      AT_ONCE,
      ({ key }) => this.storage.delete(key),
    );
  }

  private later(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.flush();
    }, PAUSE_MS).unref();
  }

  private async store(): Promise<void> {
    try {
      while (this.batch ?? this.waiting.length > 0) {
        this.batch ??= {
          key: `${keyOf(this.clock.now())}-${randomUUID()}.json`,
          mails: this.waiting.splice(0),
        };
        const { key, mails } = this.batch;
        await this.storage.put(key, Buffer.from(JSON.stringify(mails)), { contentType: 'application/json' });
        this.batch = undefined;
      }
    } catch (error) {
      this.warn(error);
      this.later();
    }
  }

  private warn(error: unknown): void {
    this.logger.warn(`Notes of sent mails were not stored: ${(error as Error).message}`);
  }
}

const keyOf = (time: Date): string => FOLDER + time.toISOString().replaceAll(':', '-');
