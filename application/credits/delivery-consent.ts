import { Injectable } from '@nestjs/common';
import { REFUND_WINDOW_MS } from '../../domain/credits/invoice-lot.js';
import { CONSENT_TEXTS, CURRENT_CONSENT } from '../../domain/subscriptions/withdrawal.js';
import { Clock } from '../shared/clock.js';
import { CreditStatementQueries } from './queries.js';

/**
 * The rejection of a request without the buyer's consent. It contains what a client needs to ask the buyer and to
 * send the consent.
 */
export type ConsentNeeded = {
  code: 'DeliveryConsentNeeded';
  version: string;
  text: string;
  detail: string;
};

/** The buyer's consent to lose the right of withdrawal for downloads. */
@Injectable()
export class DeliveryConsent {
  constructor(
    private readonly statement: CreditStatementQueries,
    private readonly clock: Clock,
  ) {}

  /** Returns whether a payment of the last 14 days has no consent yet. */
  isDue(userId: string): Promise<boolean> {
    const since = new Date(this.clock.now().getTime() - REFUND_WINDOW_MS);
    return this.statement.isConsentDue(userId, since);
  }

  /** Returns the rejection for a missing consent. */
  needed(): ConsentNeeded {
    return {
      code: 'DeliveryConsentNeeded',
      version: CURRENT_CONSENT,
      text: CONSENT_TEXTS[CURRENT_CONSENT],
      detail:
        'Show the buyer `text`. If the buyer agrees, send `{ "version": … }` to POST /api/me/contracts/consent, then repeat this request with the same key.',
    };
  }
}
