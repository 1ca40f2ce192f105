import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { HttpClient } from './http-client.js';
import { balance, comesTo } from './money-back.js';
import type { TestProduct } from './product.js';
import { purchaseOf, stock } from './stock.js';
import { press } from './stripe.js';

const CREDITS = { starter: 50, studio: 150 };

/**
 * A listener pays for a plan and buys samples of one creator for all its credits, 50 credits each. Studio
 * earns the creator 11.993998 USD, Starter 5.994.
 */
export async function sellTo(
  product: TestProduct,
  { userId: creatorId }: HttpClient,
  plan: keyof typeof CREDITS = 'studio',
): Promise<void> {
  const listener = await product.signedUp();
  const { body } = await listener.post('/api/stripe/create-checkout-session', { plan });
  await press(body.url, { outcome: 'paid' });
  const credits = CREDITS[plan];
  await comesTo(() => balance(listener), credits);
  const { database, creditExecutor } = product.resources;
  const prefix = `s${randomUUID().slice(0, 8)}-`;
  const ids = await stock(database, credits / 50, { creatorId, priceCredits: 50, prefix });
  const { outcome } = await creditExecutor.buy(
    purchaseOf(listener.userId, ids, { expectedCredits: credits }),
  );
  expect(outcome.status).toBe('bought');
}
