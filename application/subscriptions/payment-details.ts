import { Injectable } from '@nestjs/common';
import { PaymentGateway } from '../payments/payment-gateway.js';
import { PaymentRecords } from '../payments/payment-records.js';
import { CheckoutReturn } from './start-checkout.js';

/** Opens the page where a listener changes the card, for example after a failed payment. */
@Injectable()
export class PaymentDetails {
  constructor(
    private readonly gateway: PaymentGateway,
    private readonly records: PaymentRecords,
    private readonly returnTo: CheckoutReturn,
  ) {}

  /** @returns undefined for a listener who never paid */
  async open(userId: string): Promise<{ url: string } | undefined> {
    const customerId = await this.records.customerOf(userId);
    return customerId ? this.gateway.openPaymentDetails(customerId, this.returnTo.settingsUrl) : undefined;
  }
}
