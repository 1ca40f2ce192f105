import { createHash, createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { creditAccountDecider, type CreditEvent } from '../../domain/credits/credit-account.js';
import { giftAccountOf, type GiftRejection } from '../../domain/credits/gift.js';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { sumOf } from '../../domain/shared/micro-usd.js';
import type { ProductId } from '../../domain/subscriptions/products.js';
import { CreditExecutor } from '../credits/credit-executor.js';
import { Clock } from '../shared/clock.js';
import { EventStore } from '../shared/event-store.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';
import { Secrets } from '../shared/keys/signing-keys.js';
import type { Gift } from './contract.js';

export interface GiftOrder {
  giftId: string;
  userId: string;
  product: ProductId;
  quantity: number;
  email: string | null;
  codeHash: string;
  validDays: number;
}

/** A paid gift, without its code. */
export type SoldGift = Omit<Gift, 'code'>;

interface Page {
  limit: number;
  cursor?: string | undefined;
}

export abstract class Gifts {
  /** Does nothing if the gift is known. */
  abstract order(gift: GiftOrder, now: Date): Promise<void>;
  abstract idOf(codeHash: string): Promise<string | undefined>;
  /** Lists the paid gifts of a payer, newest first. */
  abstract paidBy(userId: string, page: Page): Promise<{ items: SoldGift[]; nextCursor: string | null }>;
  abstract find(giftId: string): Promise<SoldGift | undefined>;
  /** Lists gifts with credits whose code expired, and their payers. Leaves out payers without an account. */
  abstract expired(now: Date, limit: number): Promise<{ giftId: string; payerId: string }[]>;
  /**
   * Forgets the receivers of gifts ordered before a time that no one can redeem: those never paid, redeemed, expired or
   * refunded. Also forgets the receivers of gifts whose payers have no account, because their codes never expire.
   */
  abstract forgetReceivers(orderedBefore: Date): Promise<void>;
}

/** How long the code of a gift is valid. */
export class GiftTerms {
  constructor(readonly validDays: number) {}
}

/** Crockford's base32, which has no letters that look like digits. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_BYTES = 16;

/** Derives the code of a gift from its id, so that it can be shown, mailed and printed again but is stored nowhere. */
@Injectable()
export class GiftCodes {
  constructor(private readonly secrets: Secrets) {}

  /** @returns 128 bits as 26 letters and digits, in groups */
  async of(giftId: string): Promise<string> {
    const key = await this.secrets.get('gift-codes');
    const bytes = createHmac('sha256', key).update(giftId).digest().subarray(0, CODE_BYTES);
    let bits = BigInt(`0x${bytes.toString('hex')}`);
    let text = '';
    for (; text.length < 26; bits >>= 5n) text = LETTERS[Number(bits & 31n)] + text;
    return (text.match(/.{5}.?$|.{5}/g) ?? []).join('-');
  }

  /** Ignores case and separators, and reads O as 0, I and L as 1. */
  hashOf(code: string): string {
    const letters = code.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
    const read = letters.replaceAll('O', '0').replaceAll(/[IL]/g, '1');
    return createHash('sha256').update(read).digest('hex');
  }
}

/** Records whom a gift is for before its payment page opens. */
@Injectable()
export class GiftOrders {
  constructor(
    private readonly gifts: Gifts,
    private readonly codes: GiftCodes,
    private readonly terms: GiftTerms,
    private readonly clock: Clock,
  ) {}

  /** @returns the id of the gift, the same for a repeated request */
  async place(order: Pick<GiftOrder, 'userId' | 'product' | 'quantity' | 'email'>, requestKey: string) {
    const giftId = createHash('sha256').update(`${order.userId} ${requestKey}`).digest('hex').slice(0, 32);
    const codeHash = this.codes.hashOf(await this.codes.of(giftId));
    const { validDays } = this.terms;
    await this.gifts.order({ giftId, ...order, codeHash, validDays }, this.clock.now());
    return giftId;
  }
}

export type RedeemRejection =
  | Exclude<GiftRejection, { code: 'GiftNotExpired' | 'GiftGone' }>
  | { code: 'GiftUnknown' }
  /** `own`: the caller redeemed it. */
  | { code: 'GiftRedeemed'; own: boolean }
  /** The payment went back. */
  | { code: 'GiftWithdrawn' };

export class RedeemGift extends Command<Outcome<{ credits: number; balance: number }, RedeemRejection>> {
  constructor(readonly request: { userId: string; code: string; key: string }) {
    super();
  }
}

@CommandHandler(RedeemGift)
export class RedeemGiftHandler implements ICommandHandler<RedeemGift> {
  constructor(
    private readonly gifts: Gifts,
    private readonly codes: GiftCodes,
    private readonly executor: CreditExecutor,
    private readonly log: EventStore,
    private readonly clock: Clock,
  ) {}

  async execute({ request }: RedeemGift): Promise<CommandResult<RedeemGift>> {
    const { userId, code, key } = request;
    const giftId = await this.gifts.idOf(this.codes.hashOf(code));
    if (giftId === undefined) return reject({ code: 'GiftUnknown' });
    const correlationId = `redeem-${key}`;
    const outcome = await this.executor.handOverGift({
      type: 'HandOverGift',
      giftId,
      to: userId,
      why: 'redeemed',
      now: this.clock.now().toISOString(),
      metadata: { actor: userId, correlationId },
    });
    if (outcome.accepted) return outcome;
    const { rejection, balance } = outcome;
    if (rejection.code !== 'GiftGone') return reject(rejection as RedeemRejection);
    const stream = creditAccountDecider.streamOf(giftAccountOf(giftId));
    const history = await this.log.readStream<CreditEvent>(stream);
    const given = history.flatMap(({ type, data, metadata, recordedAt }) =>
      type === 'GiftGiven' ? [{ ...data, metadata, recordedAt }] : [],
    );
    // A repeated request: the caller redeemed the gift before, and the answer was lost. Compares the account too,
    // because two accounts may choose the same key.
    const before = given.filter(
      ({ to, metadata }) => to === userId && metadata.correlationId === correlationId,
    );
    if (before.length > 0)
      return { accepted: true, credits: sumOf(before.map(({ credits }) => credits)), balance };
    const [first] = given;
    if (first?.why === 'redeemed') return reject({ code: 'GiftRedeemed', own: first.to === userId });
    if (first) return reject({ code: 'GiftExpired', expiredAt: first.recordedAt.toISOString() });
    // Without a paid lot, the order was never paid, so its code was never shown.
    return reject({ code: history.length > 0 ? 'GiftWithdrawn' : 'GiftUnknown' });
  }
}

/** The gifts that a listener bought, with their codes. */
@Injectable()
export class OwnGifts {
  constructor(
    private readonly gifts: Gifts,
    private readonly codes: GiftCodes,
  ) {}

  async list(userId: string, page: Page): Promise<{ items: Gift[]; nextCursor: string | null }> {
    const { items, nextCursor } = await this.gifts.paidBy(userId, page);
    return { items: await Promise.all(items.map((gift) => this.withCode(gift))), nextCursor };
  }

  private async withCode(gift: SoldGift): Promise<Gift> {
    const isUsable = gift.state === 'open' || gift.state === 'frozen';
    return { ...gift, code: isUsable ? await this.codes.of(gift.id) : null };
  }
}

const AT_ONCE = 100;
/** Slow payments settle within two weeks, and then the code is mailed to the receiver. */
const RECEIVER_KEPT_MS = 60 * 86_400_000;

/** Gives the credits of expired gifts to their payers, once. A gift whose payment is disputed waits for the bank. */
@Injectable()
export class ExpireGifts {
  constructor(
    private readonly gifts: Gifts,
    private readonly executor: CreditExecutor,
    private readonly clock: Clock,
  ) {}

  /** @returns how many gifts expired */
  async run(): Promise<number> {
    const now = this.clock.now();
    let count = 0;
    await forEachCollectingErrors(await this.gifts.expired(now, AT_ONCE), async ({ giftId, payerId }) => {
      const outcome = await this.executor.handOverGift({
        type: 'HandOverGift',
        giftId,
        to: payerId,
        why: 'expired',
        now: now.toISOString(),
        metadata: { actor: 'system:gifts', correlationId: `expiry-${giftId}` },
      });
      if (outcome.accepted) count += 1;
    });
    return count;
  }

  forgetReceivers(): Promise<void> {
    return this.gifts.forgetReceivers(new Date(this.clock.now().getTime() - RECEIVER_KEPT_MS));
  }
}
