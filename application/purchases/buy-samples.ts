import { createHash, randomUUID } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../shared/clock.js';
import { BuySamples, FetchOwnedSamples, type PurchaseResult } from './commands.js';
import { CreditExecutor } from './credit-commands.js';
import type { BatchRejection } from './decision-context.js';
import { OwnedFiles, SampleFiles } from './readers.js';
import { SampleDelivery, type Bought } from './sample-delivery.js';

@CommandHandler(BuySamples)
export class BuySamplesHandler implements ICommandHandler<BuySamples> {
  constructor(
    private readonly executor: CreditExecutor,
    private readonly files: SampleFiles,
    private readonly owned: OwnedFiles,
    private readonly delivery: SampleDelivery,
    private readonly clock: Clock,
  ) {}

  /** @throws StorageUnavailable before anything is charged */
  async execute({ request }: BuySamples): Promise<PurchaseResult> {
    const { buyerId, idempotencyKey, expectedCredits, sampleIds, asked } = request;
    const files = await this.files.find(sampleIds);
    const obstacle = await this.delivery.obstacleTo(files, sampleIds);
    const { outcome, replayed } = await this.executor.buy({
      type: 'BuySamples',
      buyerId,
      // What cannot be bought now may have been bought under this key before.
      items: obstacle ? [] : itemsOf(sampleIds),
      expectedCredits,
      idempotency: { key: idempotencyKey, requestHash: hashOf(asked) },
      metadata: { actor: buyerId, correlationId: idempotencyKey },
    });
    if (outcome.status === 'refused') {
      const isUnknown = obstacle && !replayed && outcome.rejection.code !== 'IdempotencyKeyReused';
      return refused(isUnknown ? obstacle : outcome.rejection, replayed);
    }
    if (replayed) return this.handAgain(buyerId, outcome);
    const again = outcome.items.filter((item) => item.charged === 0).map((item) => item.sampleId);
    if (again.length > 0) await this.files.recordDelivery(buyerId, again, this.clock.now());
    return this.delivery.handOut(outcome, files, false);
  }

  /** The first answer again, with the files as far as they are still the buyer's. */
  private async handAgain(buyerId: string, outcome: Bought): Promise<PurchaseResult> {
    const sampleIds = outcome.items.map((item) => item.sampleId);
    const files = await this.owned.find(buyerId, sampleIds);
    if (files.length < sampleIds.length || files.some((file) => file.takenDown))
      return refused({ code: 'Gone' }, true);
    return this.delivery.handOut(outcome, files, true);
  }
}

@CommandHandler(FetchOwnedSamples)
export class FetchOwnedSamplesHandler implements ICommandHandler<FetchOwnedSamples> {
  constructor(
    private readonly executor: CreditExecutor,
    private readonly files: SampleFiles,
    private readonly delivery: SampleDelivery,
  ) {}

  /** @throws StorageUnavailable */
  async execute({ buyerId, sampleIds }: FetchOwnedSamples): Promise<PurchaseResult> {
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
      : this.delivery.handOut(outcome, files, false);
  }
}

const hashOf = (asked: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(asked)).digest('hex');

const itemsOf = (sampleIds: readonly string[]) =>
  sampleIds.map((sampleId) => ({ sampleId, purchaseId: randomUUID(), certificateId: randomUUID() }));

const refused = (
  rejection: BatchRejection | { code: 'DownloadUnavailable' },
  replayed = false,
): PurchaseResult => ({
  ok: false,
  rejection,
  replayed,
});
