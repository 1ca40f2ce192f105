import type { SampleOnOffer } from '../../domain/purchases/purchase.js';
import type { PromotionCode, RedeemedPromotion } from './contract.js';

export abstract class PromotionQueries {
  /** @param now decides which codes have begun or expired */
  abstract list(
    creatorId: string,
    query: { limit: number; cursor?: string; packId?: string },
    now: Date,
  ): Promise<{ items: PromotionCode[]; nextCursor: string | null }>;
  abstract find(code: string, now: Date): Promise<PromotionCode | undefined>;
  /** Returns the samples of a pack that are on sale, in the order of the pack, and whether the person owns each. */
  abstract offers(packId: string, buyerId: string): Promise<(SampleOnOffer & { owned: boolean })[]>;
  /** Returns the pack of a code, and the samples that a person received with the code. */
  abstract redeemed(code: string, buyerId: string, packId: string): Promise<RedeemedPromotion>;
}
