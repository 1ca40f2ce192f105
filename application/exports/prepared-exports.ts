import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { AccountMails } from '../accounts/account-mails.js';
import { AccountStore } from '../accounts/account-store.js';
import { Notices } from '../mail/notices.js';
import { paths } from '../pages/paths.js';
import { signedDownload, type DeliveredItem } from '../purchases/buy-samples.js';
import { WallClock } from '../shared/clock.js';
import { JobCancelled, JobQueue, type Attempt, type JobKind } from '../shared/job-queue.js';
import { ObjectStorage, pagesOf } from '../storage/object-storage.js';
import type { PreparedExport } from './contract.js';
import { ExportContents, type ExportKind, type ExportSubject } from './export-contents.js';
import { withIsoTimes } from '../shared/iso-times.js';
import { EXPORT_KEPT_DAYS } from '../shared/values.js';

const DAY_MS = 86_400_000;
const KEPT_MS = EXPORT_KEPT_DAYS * DAY_MS;
/** An order fails if no worker completes it in this time. The user then has to order again. */
const GIVEN_UP_AFTER_MS = DAY_MS;
const FOLDER = 'exports/';
const SWEPT_AT_ONCE = 500;

const Order = z.object({ exportId: z.string() });
type Order = z.infer<typeof Order>;

const PERSONAL_DATA: JobKind<Order> = {
  name: 'export',
  shape: Order,
  isKeyed: true,
  atOnce: 2,
  repeats: 5,
  firstPauseSeconds: 5,
  longestPauseSeconds: 600,
  timeLimitSeconds: 3_600,
};
/** A journal of several years may take hours. It has its own kind of job, so that personal data need not wait. */
const JOURNAL: JobKind<Order> = {
  ...PERSONAL_DATA,
  name: 'books-export',
  atOnce: 1,
  timeLimitSeconds: 12 * 3_600,
};

export const EXPORTS: Readonly<Record<ExportKind, JobKind<Order>>> = {
  'personal-data': PERSONAL_DATA,
  journal: JOURNAL,
};

export interface OrderedExport extends Omit<PreparedExport, 'id' | 'orderedAt' | 'expiresAt'> {
  exportId: string;
  userId: string;
  subject: ExportSubject;
  contentType: string;
  orderedAt: Date;
  expiresAt: Date | null;
}

export abstract class ExportStore {
  /** @returns the new order, or this person's earlier order of the same file if it is still being prepared */
  abstract order(
    order: Pick<OrderedExport, 'exportId' | 'userId' | 'subject' | 'filename' | 'contentType' | 'orderedAt'>,
  ): Promise<OrderedExport>;
  abstract find(exportId: string): Promise<OrderedExport | undefined>;
  /** Lists a user's orders, newest first. */
  abstract list(userId: string, kind: ExportKind): Promise<OrderedExport[]>;
  /** @returns whether the order still exists */
  abstract finish(exportId: string, file: { sizeBytes: number; expiresAt: Date }): Promise<boolean>;
  abstract fail(exportId: string, expiresAt: Date): Promise<void>;
  abstract remove(exportId: string): Promise<void>;
  abstract expired(now: Date, limit: number): Promise<OrderedExport[]>;
  /** Lists orders that are still being prepared, oldest first. */
  abstract preparing(limit: number): Promise<OrderedExport[]>;
  abstract among(exportIds: readonly string[]): Promise<ReadonlySet<string>>;
}

/**
 * A worker writes a file to the storage, and the user fetches it until it expires. The row is inserted before its
 * object and deleted after it, so an object without a row is an orphan.
 */
@Injectable()
export class PreparedExports {
  constructor(
    private readonly store: ExportStore,
    private readonly contents: ExportContents,
    private readonly storage: ObjectStorage,
    private readonly jobs: JobQueue,
    private readonly accounts: AccountStore,
    private readonly mails: AccountMails,
    private readonly notices: Notices,
    private readonly clock: WallClock,
  ) {}

  async order(userId: string, subject: ExportSubject): Promise<PreparedExport> {
    const described = this.contents.describe(subject);
    const order = { exportId: randomUUID(), userId, subject, ...described, orderedAt: this.clock.now() };
    const ordered = await this.store.order(order);
    await this.send(ordered);
    return answerOf(ordered);
  }

  async list(userId: string, kind: ExportKind): Promise<PreparedExport[]> {
    const now = this.clock.now();
    const ordered = await this.store.list(userId, kind);
    return ordered.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).map(answerOf);
  }

  /** Returns a short-lived address of the file. Undefined if this person has no such file, or it is not ready. */
  async fetch(
    userId: string,
    kind: ExportKind,
    exportId: string,
  ): Promise<DeliveredItem['download'] | undefined> {
    const found = await this.own(userId, kind, exportId);
    if (found?.state !== 'ready' || found.expiresAt === null || found.expiresAt <= this.clock.now())
      return undefined;
    const { filename, contentType } = found;
    return signedDownload(this.storage, this.clock, { key: keyOf(found), filename, contentType });
  }

  /** Cancels the job and removes the file. @returns false if this person has no such file */
  async remove(userId: string, kind: ExportKind, exportId: string): Promise<boolean> {
    const found = await this.own(userId, kind, exportId);
    if (!found) return false;
    await this.jobs.cancel(EXPORTS[kind], exportId);
    await this.removeFile(found);
    return true;
  }

  async make({ data, isLast, signal }: Omit<Attempt<Order>, 'jobId' | 'number'>): Promise<void> {
    const { exportId } = data;
    const ordered = await this.store.find(exportId);
    // The order was removed meanwhile, perhaps together with its user.
    if (!ordered) return;
    try {
      if (ordered.state !== 'ready') await this.write(ordered, signal);
    } catch (error) {
      const isGivenUp = signal.aborted ? signal.reason instanceof JobCancelled : isLast;
      if (isGivenUp) await this.store.fail(exportId, this.keptUntil());
      throw error;
    }
    const owner = await this.accounts.findById(ordered.userId);
    if (!owner) return;
    const isPersonal = ordered.subject.kind === 'personal-data';
    if (isPersonal) await this.mails.send(owner, { letter: 'export-ready' }, exportId);
    const notice = {
      userId: ordered.userId,
      fact: `export ${exportId}`,
      kind: 'files' as const,
      subject: `Your export ${ordered.filename} is ready`,
      path: isPersonal ? paths.settings : paths.finance,
      at: this.clock.now(),
    };
    await this.notices.add([notice], isPersonal);
  }

  /** Removes expired files and files without an order. Sends the jobs of unfinished orders again, or fails old ones. */
  async sweep(): Promise<void> {
    const now = this.clock.now();
    for (const old of await this.store.expired(now, SWEPT_AT_ONCE)) await this.removeFile(old);
    await this.removeOrphans(FOLDER);
    const givenUpBefore = new Date(now.getTime() - GIVEN_UP_AFTER_MS);
    for (const ordered of await this.store.preparing(SWEPT_AT_ONCE))
      if (ordered.orderedAt < givenUpBefore) await this.store.fail(ordered.exportId, this.keptUntil());
      else await this.send(ordered);
  }

  /** Removes the files of an erased user, whose rows are already gone. */
  forget(userId: string): Promise<void> {
    return this.removeOrphans(`${FOLDER}${userId}/`);
  }

  private async write(ordered: OrderedExport, signal: AbortSignal): Promise<void> {
    const { exportId, userId, subject, contentType } = ordered;
    const body = Readable.from(until(signal, this.contents.write(userId, subject)), { objectMode: false });
    const { sizeBytes } = await this.storage.put(keyOf(ordered), body, { contentType });
    const isWanted = await this.store.finish(exportId, { sizeBytes, expiresAt: this.keptUntil() });
    if (!isWanted) await this.storage.delete(keyOf(ordered));
  }

  private async own(userId: string, kind: ExportKind, exportId: string): Promise<OrderedExport | undefined> {
    const found = await this.store.find(exportId);
    return found?.userId === userId && found.subject.kind === kind ? found : undefined;
  }

  private send({ exportId, subject }: OrderedExport): Promise<void> {
    return this.jobs.send(EXPORTS[subject.kind], [{ key: exportId, data: { exportId } }]);
  }

  private async removeFile(ordered: OrderedExport): Promise<void> {
    await this.storage.delete(keyOf(ordered));
    await this.store.remove(ordered.exportId);
  }

  private async removeOrphans(prefix: string): Promise<void> {
    for await (const { objects } of pagesOf(this.storage, { prefix, limit: SWEPT_AT_ONCE })) {
      const kept = await this.store.among(objects.map(({ key }) => exportIdOf(key)));
      for (const { key } of objects) if (!kept.has(exportIdOf(key))) await this.storage.delete(key);
    }
  }

  private keptUntil(): Date {
    return new Date(this.clock.now().getTime() + KEPT_MS);
  }
}

const keyOf = ({ userId, exportId }: OrderedExport): string => `${FOLDER}${userId}/${exportId}`;
const exportIdOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

async function* until(signal: AbortSignal, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    signal.throwIfAborted();
    yield piece;
  }
}

const answerOf = ({ exportId: id, filename, state, sizeBytes, orderedAt, expiresAt }: OrderedExport) =>
  withIsoTimes({ id, filename, state, sizeBytes, orderedAt, expiresAt });
