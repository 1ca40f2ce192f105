import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OrderRejection } from '../../domain/purchases/purchase.js';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { SubscriptionQueries } from '../subscriptions/queries.js';
import { SampleFileQueries, type SampleFile } from '../storage/queries.js';
import { Clock, WallClock } from '../shared/clock.js';
import { ObjectStorage } from '../storage/object-storage.js';
import { PresentObjects } from '../storage/present-objects.js';
import type { BoughtItem, KeyedOrder, PurchaseOutcome } from '../credits/credit-batch.js';
import { DeliveryConsent, type ConsentNeeded } from '../credits/delivery-consent.js';
import { CreditExecutor } from '../credits/credit-executor.js';
import type { LeftOut } from './contract.js';
import { FileNames } from './file-naming.js';
import { OwnedFileQueries } from './queries.js';

/** Subscribers of the plan Studio may download stems. The plan at the time of the download decides. */
@Injectable()
export class StemsAccess {
  constructor(private readonly subscriptions: SubscriptionQueries) {}

  /**
   * Returns a function that checks whether the user may download the stems of a
   * file. Creators need no plan for their own files.
   */
  async of(userId: string): Promise<(file: Pick<SampleFile, 'creatorId'>) => boolean> {
    const { plan, status } = await this.subscriptions.current(userId);
    const inStudio = plan === 'studio' && status === 'active';
    return ({ creatorId }) => inStudio || creatorId === userId;
  }
}

const URL_LIFETIME_SECONDS = 15 * 60;

/** Returns a signed address, from which anyone can download the file for a short time. */
export async function signedDownload(
  storage: ObjectStorage,
  wall: WallClock,
  { key, filename, contentType }: { key: string; filename: string; contentType: string },
): Promise<DeliveredItem['download']> {
  const url = await storage.presignGet(key, {
    expiresInSeconds: URL_LIFETIME_SECONDS,
    downloadName: filename,
    contentType,
  });
  const expiresAt = new Date(wall.now().getTime() + URL_LIFETIME_SECONDS * 1_000).toISOString();
  return { url, filename, expiresAt };
}

/** Records when buyers download a purchased file again. */
export abstract class Deliveries {
  abstract record(buyerId: string, sampleIds: readonly string[], at: Date): Promise<void>;
}

type Bought = Extract<PurchaseOutcome, { status: 'bought' }>;

export interface PurchaseRequest {
  buyerId: string;
  sampleIds: readonly string[];
  /** Present if the request is for all samples of this pack. Then the price of the pack applies. */
  packId?: string;
  expectedCredits: number;
  idempotencyKey: string;
  /** The request as the caller sent it. A repeated idempotency key is refused if this differs. */
  asked: readonly unknown[];
}

export interface DeliveredItem extends BoughtItem {
  download: { url: string; filename: string; expiresAt: string };
  /** Further files that the buyer may download. `leftOut` names those that the buyer's plan does not include. */
  attached: ('midi' | 'stems')[];
  leftOut: LeftOut[];
}

/** Files that cannot be sold. `sampleIds`: the samples that they belong to. */
type MissingFiles = { code: 'SampleNotAvailable' | 'DownloadUnavailable'; sampleIds: string[] };

export type DeliveryOutcome = Outcome<
  { charged: number; balance: number; purchased: boolean; items: DeliveredItem[] },
  OrderRejection | MissingFiles | ConsentNeeded
> & { replayed: boolean };

/** Buys samples and delivers their originals, all or nothing. Owned samples are free; a missing file costs nothing. */
export class BuySamples extends Command<DeliveryOutcome> {
  /** @param deadline aborts when the buyer no longer waits for the answer */
  constructor(
    readonly request: PurchaseRequest,
    readonly deadline?: AbortSignal,
  ) {
    super();
  }
}

/** Delivers owned samples without a charge. Records only the licence of a version that is new to the owner. */
export class FetchOwnedSamples extends Command<DeliveryOutcome> {
  constructor(
    readonly buyerId: string,
    readonly sampleIds: readonly string[],
  ) {
    super();
  }
}

@Injectable()
export class SampleDelivery {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly present: PresentObjects,
    private readonly access: StemsAccess,
    private readonly names: FileNames,
    private readonly wall: WallClock,
  ) {}

  /** Returns why files cannot be sold. @throws StorageUnavailable if it is unknown whether they exist */
  async obstacleTo(
    files: readonly SampleFile[],
    sampleIds: readonly string[],
  ): Promise<MissingFiles | undefined> {
    const known = new Set(files.map(({ sampleId }) => sampleId));
    const unknown = sampleIds.filter((id) => !known.has(id));
    if (sampleIds.length === 0 || unknown.length > 0)
      return { code: 'SampleNotAvailable', sampleIds: unknown };
    const missing = await this.present.missing(files.map(({ originalKey }) => originalKey));
    if (missing.size === 0) return undefined;
    const without = files.filter(({ originalKey }) => missing.has(originalKey));
    return { code: 'DownloadUnavailable', sampleIds: without.map(({ sampleId }) => sampleId) };
  }

  async handOut(
    buyerId: string,
    { charged, balance, purchased, items: bought }: Bought,
    files: readonly SampleFile[],
    replayed: boolean,
  ): Promise<DeliveryOutcome> {
    const bySample = new Map(files.map((file) => [file.sampleId, file]));
    const someStems = files.some(({ hasStems }) => hasStems);
    const [mayHaveStems, stemOf] = await Promise.all([
      someStems ? this.access.of(buyerId) : () => false,
      this.names.of(buyerId),
    ]);
    const items = await Promise.all(
      bought.map(async (item) => {
        const file = bySample.get(item.sampleId) as SampleFile;
        const { originalKey: key, contentType, format } = file;
        const named = { key, filename: `${stemOf(file)}.${format}`, contentType };
        const download = await signedDownload(this.storage, this.wall, named);
        return { ...item, download, ...attachedTo(file, mayHaveStems(file)) };
      }),
    );
    return { accepted: true, charged, balance, purchased, items, replayed };
  }
}

@CommandHandler(BuySamples)
export class BuySamplesHandler implements ICommandHandler<BuySamples> {
  constructor(
    private readonly executor: CreditExecutor,
    private readonly files: SampleFileQueries,
    private readonly owned: OwnedFileQueries,
    private readonly delivery: SampleDelivery,
    private readonly deliveries: Deliveries,
    private readonly consent: DeliveryConsent,
    private readonly clock: Clock,
  ) {}

  /** @throws StorageUnavailable before a charge @throws DeadlinePassed; a retry with this key returns the outcome */
  async execute({ request, deadline }: BuySamples): Promise<DeliveryOutcome> {
    const { buyerId, idempotencyKey, expectedCredits, sampleIds, packId, asked } = request;
    const [files, isConsentDue] = await Promise.all([
      this.files.find(sampleIds),
      expectedCredits > 0 && this.consent.isDue(buyerId),
    ]);
    const obstacle =
      (await this.delivery.obstacleTo(files, sampleIds)) ??
      (isConsentDue && (await this.isSpending(buyerId, files)) ? this.consent.needed() : undefined);
    const order: KeyedOrder = {
      type: 'BuySamples',
      buyerId,
      // An order without items buys nothing, but returns the outcome of an earlier order with this key.
      items: obstacle ? [] : itemsOf(sampleIds),
      ...(packId !== undefined && { packId }),
      expectedCredits,
      idempotency: { key: idempotencyKey, requestHash: hashOf(asked) },
      metadata: { actor: buyerId, correlationId: idempotencyKey },
    };
    const { outcome, replayed } = await this.executor.buy(order, deadline);
    if (outcome.status === 'refused') {
      const isUnknown = obstacle && !replayed && outcome.rejection.code !== 'IdempotencyKeyReused';
      return refused(isUnknown ? obstacle : outcome.rejection, replayed);
    }
    if (replayed) return this.handAgain(buyerId, outcome);
    const again = outcome.items
      .filter((item) => item.charged === 0 && !item.free)
      .map((item) => item.sampleId);
    if (again.length > 0) await this.deliveries.record(buyerId, again, this.clock.now());
    return this.delivery.handOut(buyerId, outcome, files, false);
  }

  /** Returns whether the buyer has to pay for at least one file, because the buyer neither owns nor created it. */
  private async isSpending(buyerId: string, files: readonly SampleFile[]): Promise<boolean> {
    const foreign = files.filter(({ creatorId }) => creatorId !== buyerId).map(({ sampleId }) => sampleId);
    return (await this.owned.find(buyerId, foreign)).length < foreign.length;
  }

  /** Repeats the answer to an earlier order, if the buyer may still download all of its files. */
  private async handAgain(buyerId: string, outcome: Bought): Promise<DeliveryOutcome> {
    const sampleIds = outcome.items.map((item) => item.sampleId);
    const files = await this.owned.find(buyerId, sampleIds);
    if (files.length < sampleIds.length || files.some((file) => file.takenDown))
      return refused({ code: 'Gone' }, true);
    return this.delivery.handOut(buyerId, outcome, files, true);
  }
}

@CommandHandler(FetchOwnedSamples)
export class FetchOwnedSamplesHandler implements ICommandHandler<FetchOwnedSamples> {
  constructor(
    private readonly executor: CreditExecutor,
    private readonly files: SampleFileQueries,
    private readonly delivery: SampleDelivery,
  ) {}

  /** @throws StorageUnavailable */
  async execute({ buyerId, sampleIds }: FetchOwnedSamples): Promise<DeliveryOutcome> {
    const files = await this.files.find(sampleIds);
    const obstacle = await this.delivery.obstacleTo(files, sampleIds);
    if (obstacle) return refused(obstacle);
    const { outcome } = await this.executor.buy({
      type: 'BuySamples',
      buyerId,
      items: itemsOf(sampleIds),
      expectedCredits: 0,
      metadata: { actor: buyerId, correlationId: randomUUID() },
    });
    return outcome.status === 'refused'
      ? refused(outcome.rejection)
      : this.delivery.handOut(buyerId, outcome, files, false);
  }
}

function attachedTo(
  { sampleId, title, hasMidi, hasStems }: SampleFile,
  mayHaveStems: boolean,
): Pick<DeliveredItem, 'attached' | 'leftOut'> {
  const attached: DeliveredItem['attached'] = hasMidi ? ['midi'] : [];
  if (hasStems && mayHaveStems) attached.push('stems');
  const withheld = hasStems && !mayHaveStems;
  return { attached, leftOut: withheld ? [{ sampleId, title, what: 'stems', reason: 'needs-studio' }] : [] };
}

const hashOf = (asked: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(asked)).digest('hex');

const itemsOf = (sampleIds: readonly string[]) =>
  sampleIds.map((sampleId) => ({ sampleId, purchaseId: randomUUID(), certificateId: randomUUID() }));

const refused = (
  rejection: OrderRejection | MissingFiles | ConsentNeeded,
  replayed = false,
): DeliveryOutcome => ({
  ...reject(rejection),
  replayed,
});
