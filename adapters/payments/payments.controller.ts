import { Controller } from '@nestjs/common';
import { receiveEvent } from '../../application/payments/endpoints.js';
import { PaymentEvents } from '../../application/payments/payment-events.js';
import { Route, type Call } from '../platform/http/route.js';

@Controller()
export class PaymentsController {
  constructor(private readonly events: PaymentEvents) {}

  @Route(receiveEvent)
  async webhook({ body, request }: Call<typeof receiveEvent>) {
    const signature = request.headers['stripe-signature'] ?? '';
    const outcome = await this.events.receive(Buffer.from(body ?? ''), String(signature));
    return { received: true as const, outcome };
  }
}
