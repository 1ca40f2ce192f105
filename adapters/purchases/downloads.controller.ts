import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import { DownloadPage, LibraryQuery } from '../../application/library/contract.js';
import { SamplePurchases, type PurchaseResult } from '../../application/purchases/buy-samples.js';
import {
  DownloadAnswer,
  DownloadBody,
  PackDownloadAnswer,
  PackDownloadBody,
  PurchaseAnswer,
  PurchaseBody,
} from '../../application/purchases/contract.js';
import { DownloadedSamples, SampleFiles } from '../../application/purchases/readers.js';
import { Id } from '../../application/shared/contract.js';
import { SubscriptionReader } from '../../application/subscriptions/readers.js';
import {
  AccessFor,
  CurrentActor,
  IdempotencyKey,
  NeedsIdempotencyKey,
  type Actor,
} from '../platform/http/access.js';
import { ProblemException, refuse } from '../platform/http/problems.js';
import type { HttpResponse } from '../platform/http/request.js';

/** Originals for credits: the only door through which they leave. */
@ApiTags('Downloads')
@Controller('api')
@AccessFor('user')
export class DownloadsController {
  constructor(
    private readonly purchases: SamplePurchases,
    private readonly files: SampleFiles,
    private readonly downloaded: DownloadedSamples,
    private readonly subscriptions: SubscriptionReader,
  ) {}

  @Post('downloads')
  @NeedsIdempotencyKey()
  @ApiResponse({ status: 201, standardSchema: DownloadAnswer })
  async download(
    @CurrentActor() actor: Actor,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: DownloadBody }) { sampleId, expectedCredits }: z.infer<typeof DownloadBody>,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<DownloadAnswer> {
    const buyerId = actor.userId;
    const result = await this.purchases.buy({
      buyerId,
      sampleIds: [sampleId],
      expectedCredits,
      idempotencyKey,
      asked: ['downloads', [sampleId], expectedCredits],
    });
    const { charged, balance, items } = await this.accepted(result, actor, response);
    const [item] = items;
    if (!item) throw new Error('a purchase of one sample answers one item');
    return { charged, balance, download: item.download, certificateId: item.certificateId };
  }

  @Post('packs/:id/downloads')
  @NeedsIdempotencyKey()
  @ApiResponse({ status: 201, standardSchema: PackDownloadAnswer })
  async downloadPack(
    @CurrentActor() actor: Actor,
    @IdempotencyKey() idempotencyKey: string,
    @Param('id', { schema: Id }) packId: string,
    @Body({ schema: PackDownloadBody }) { expectedCredits }: z.infer<typeof PackDownloadBody>,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<z.infer<typeof PackDownloadAnswer>> {
    const sampleIds = (await this.files.ofPack(packId)) ?? [];
    const result = await this.purchases.buy({
      buyerId: actor.userId,
      sampleIds,
      expectedCredits,
      idempotencyKey,
      asked: [`packs/${packId}/downloads`, expectedCredits],
    });
    if (
      !result.ok &&
      sampleIds.length === 0 &&
      !result.replayed &&
      result.rejection.code === 'SampleNotAvailable'
    )
      throw new ProblemException('NotFound');
    const { charged, balance, items } = await this.accepted(result, actor, response);
    return { charged, balance, items };
  }

  /** The call of earlier clients: what it says of buyer, creator and price is checked, never believed. */
  @Post('credits/purchase')
  @HttpCode(HttpStatus.OK)
  @NeedsIdempotencyKey()
  @ApiResponse({ status: 200, standardSchema: PurchaseAnswer })
  async purchase(
    @CurrentActor() actor: Actor,
    @IdempotencyKey() idempotencyKey: string,
    @Body({ schema: PurchaseBody }) body: z.infer<typeof PurchaseBody>,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<z.infer<typeof PurchaseAnswer>> {
    if (body.buyerId !== actor.userId) throw new ProblemException('BuyerMismatch');
    const sampleId = await this.files.resolve(body.sampleId);
    const [file] = sampleId ? await this.files.find([sampleId]) : [];
    if (!file) throw new ProblemException('SampleNotAvailable');
    if (file.creatorId !== body.creatorId) throw new ProblemException('CreatorMismatch');
    const result = await this.purchases.buy({
      buyerId: actor.userId,
      sampleIds: [file.sampleId],
      expectedCredits: body.credits,
      idempotencyKey,
      asked: ['credits/purchase', [file.sampleId], body.credits],
    });
    await this.accepted(result, actor, response);
    response.statusCode = HttpStatus.OK;
    return { success: true };
  }

  @Get('library/downloads')
  @ApiResponse({ status: 200, standardSchema: DownloadPage })
  async list(
    @CurrentActor() actor: Actor,
    @Query({ schema: LibraryQuery }) query: z.infer<typeof LibraryQuery>,
  ): Promise<DownloadPage> {
    return this.downloaded.list(actor.userId, query);
  }

  /** 201 for a purchase, 200 for what was owned already; refusals say what the screen needs. */
  private async accepted(
    result: PurchaseResult,
    actor: Actor,
    response: HttpResponse,
  ): Promise<PurchaseResult & { ok: true }> {
    const replayed: Record<string, string> = result.replayed ? { 'Idempotency-Replayed': 'true' } : {};
    if (result.ok) {
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
