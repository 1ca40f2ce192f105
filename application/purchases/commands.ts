import { Command } from '@nestjs/cqrs';
import type { BoughtItem, BatchRejection } from './decision-context.js';

export interface PurchaseRequest {
  buyerId: string;
  sampleIds: readonly string[];
  expectedCredits: number;
  idempotencyKey: string;
  /** What was asked for, in the caller's own words: a repeated key has to ask for the same. */
  asked: readonly unknown[];
}

export interface DeliveredItem extends BoughtItem {
  download: { url: string; filename: string; expiresAt: string };
}

export type PurchaseResult =
  | {
      ok: true;
      charged: number;
      balance: number;
      purchased: boolean;
      items: DeliveredItem[];
      replayed: boolean;
    }
  | { ok: false; rejection: BatchRejection | { code: 'DownloadUnavailable' }; replayed: boolean };

/**
 * Buys samples for credits and hands out their originals, all or nothing. What is owned is handed out again
 * free. Nothing is charged for a file that is not there.
 */
export class BuySamples extends Command<PurchaseResult> {
  constructor(readonly request: PurchaseRequest) {
    super();
  }
}

/** Hands out what is owned and writes nothing, except that a version that is new to the owner is licensed, once. */
export class FetchOwnedSamples extends Command<PurchaseResult> {
  constructor(
    readonly buyerId: string,
    readonly sampleIds: readonly string[],
  ) {
    super();
  }
}

/** Credits nobody paid for: worth nothing, spent first. Its id makes repeating harmless. */
export class GrantPromotion extends Command<{ granted: boolean; balance: number }> {
  constructor(readonly grant: { userId: string; grantId: string; credits: number; grantedAt: Date }) {
    super();
  }
}
