import { Injectable } from '@nestjs/common';
import { REFUND_WINDOW_MS } from '../../domain/credits/invoice-lot.js';
import { CONSENT_TEXTS, CURRENT_CONSENT } from '../../domain/subscriptions/withdrawal.js';
import { Clock } from '../shared/clock.js';
import { CreditStatementQueries } from './queries.js';

/** What a program needs to ask the buyer for the consent, and to send it. */
export type ConsentNeeded = {
  code: 'DeliveryConsentNeeded';
  version: string;
  text: string;
  detail: string;
};

/** The consent of a buyer that the right of withdrawal ends for what is downloaded. */
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

  /** Returns the refusal of a purchase without the consent. */
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
