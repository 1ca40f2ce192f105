import { Controller, HttpStatus } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { listDownloads } from '../../application/library/endpoints.js';
import { BuySamples, type DeliveryOutcome } from '../../application/purchases/buy-samples.js';
import * as endpoints from '../../application/purchases/endpoints.js';
import { DownloadedSampleQueries } from './postgres-owned-files.js';
import { SampleFileQueries } from '../../application/storage/queries.js';
import { SubscriptionQueries } from '../../application/subscriptions/queries.js';
import { ProblemException } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';

type BuyingCall = Call<typeof endpoints.downloadSample>;

/** Sells samples for credits. No other controller sells them. */
@Controller()
export class DownloadsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly files: SampleFileQueries,
    private readonly downloaded: DownloadedSampleQueries,
    private readonly subscriptions: SubscriptionQueries,
  ) {}

  @Route(endpoints.downloadSample, { keepsAnswers: 'handler' })
  async download(call: Call<typeof endpoints.downloadSample>) {
    const { sampleId, expectedCredits } = call.body;
    const asked = ['downloads', [sampleId], expectedCredits];
    const result = await this.buy(call, [sampleId], expectedCredits, asked);
    const { charged, balance, items } = await this.accepted(result, call);
    const [item] = items;
    if (!item) throw new Error('a purchase of one sample answers one item');
    const { download, certificateId, attached, leftOut } = item;
    return { charged, balance, download, certificateId, attached, leftOut };
  }

  @Route(endpoints.downloadPack, { keepsAnswers: 'handler' })
  async downloadPack(call: Call<typeof endpoints.downloadPack>) {
    const packId = call.params.id;
    const { expectedCredits } = call.body;
    const sampleIds = (await this.files.ofPack(packId)) ?? [];
    const asked = [`packs/${packId}/downloads`, expectedCredits];
    const result = await this.buy(call, sampleIds, expectedCredits, asked, packId);
    if (
      !result.accepted &&
      sampleIds.length === 0 &&
      !result.replayed &&
      result.rejection.code === 'SampleNotAvailable'
    )
      return call.refuse({ code: 'NotFound' });
    const { charged, balance, items } = await this.accepted(result, call);
    return { charged, balance, items };
  }

  @Route(endpoints.downloadSamples, { keepsAnswers: 'handler' })
  async downloadSamples(call: Call<typeof endpoints.downloadSamples>) {
    const { sampleIds, expectedCredits } = call.body;
    const result = await this.buy(call, sampleIds, expectedCredits, ['samples', sampleIds, expectedCredits]);
    const { charged, balance, items } = await this.accepted(result, call);
    return { charged, balance, items };
  }

  /** The request names a buyer, creator and price. They must match the session and the sample. */
  @Route(endpoints.purchaseSample, { keepsAnswers: 'handler' })
  async purchase(call: Call<typeof endpoints.purchaseSample>): Promise<{ success: true }> {
    const { body, actor } = call;
    if (body.buyerId !== actor.userId) return call.refuse({ code: 'BuyerMismatch' });
    const sampleId = await this.files.resolve(body.sampleId);
    const [file] = sampleId ? await this.files.find([sampleId]) : [];
    if (!file) return call.refuse({ code: 'SampleNotAvailable' });
    if (file.creatorId !== body.creatorId) return call.refuse({ code: 'CreatorMismatch' });
    const asked = ['credits/purchase', [file.sampleId], body.credits];
    const result = await this.buy(call, [file.sampleId], body.credits, asked);
    await this.accepted(result, call);
    call.response.statusCode = HttpStatus.OK;
    return { success: true };
  }

  @Route(listDownloads)
  list({ actor, query }: Call<typeof listDownloads>) {
    return this.downloaded.list(actor.userId, query);
  }

  private buy(
    {
      actor,
      idempotencyKey,
      request: { deadline },
    }: Pick<BuyingCall, 'actor' | 'idempotencyKey' | 'request'>,
    sampleIds: readonly string[],
    expectedCredits: number,
    asked: readonly unknown[],
    packId?: string,
  ): Promise<DeliveryOutcome> {
    const order = { sampleIds, expectedCredits, asked, ...(packId !== undefined && { packId }) };
    const request = { buyerId: actor.userId, idempotencyKey, ...order };
    return this.commands.execute(new BuySamples(request, deadline));
  }

  /** Answers 201 for a purchase, 200 if all samples were owned. If credits are missing, adds the next billing date. */
  private async accepted(
    result: DeliveryOutcome,
    { actor, response, refuse }: Pick<BuyingCall, 'actor' | 'response' | 'refuse'>,
  ): Promise<DeliveryOutcome & { accepted: true }> {
    const replayed: Record<string, string> = result.replayed ? { 'Idempotency-Replayed': 'true' } : {};
    if (result.accepted) {
      response.statusCode = result.purchased ? HttpStatus.CREATED : HttpStatus.OK;
      for (const [name, value] of Object.entries(replayed)) response.setHeader(name, value);
      return result;
    }
    if (result.rejection.code !== 'InsufficientCredits') return refuse(result.rejection);
    const { code, ...missing } = result.rejection;
    const { status, currentPeriodEnd } = await this.subscriptions.current(actor.userId);
    const nextBillingDate =
      status === 'active' && currentPeriodEnd ? { nextBillingDate: currentPeriodEnd } : {};
    throw new ProblemException(code, { ...missing, ...nextBillingDate }, replayed);
  }
}
