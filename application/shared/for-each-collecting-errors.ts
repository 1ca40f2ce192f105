import { PaymentGatewayUnavailable } from '../payments/payment-gateway.js';

/**
 * Works through all items, one after the other. One that fails keeps none of the others waiting; only while the
 * payment provider does not answer is it no use going on.
 * @throws the last failure, once all had their turn
 */
export async function forEachCollectingErrors<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  let failure: { error: unknown } | undefined;
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (error instanceof PaymentGatewayUnavailable) throw error;
      failure = { error };
    }
  }
  if (failure) throw failure.error;
}
