import type Stripe from 'stripe';
import { invalid } from './faults.js';
import { customerTax } from './tax/taxes.js';
import { listOf, type World } from './world.js';

/** Returns a list that an object contains only if the request expands it. */
function included(world: World, object: Record<string, unknown>, field: string): unknown {
  const id = object['id'] as string;
  if (object['object'] === 'invoice' && field === 'payments')
    return listOf(
      world.all('invoicePayments').filter((payment) => payment.invoice === id),
      `/v1/invoices/${id}/payments`,
    );
  if (object['object'] === 'customer' && field === 'tax')
    return customerTax(object as unknown as Stripe.Customer);
  if (object['object'] === 'checkout.session' && field === 'line_items') return checkoutLines(world, id);
  if (object['object'] === 'charge' && field === 'refunds')
    return listOf(
      world.all('refunds').filter((refund) => refund.charge === id),
      `/v1/charges/${id}/refunds`,
    );
  return undefined;
}

export function checkoutLines(world: World, sessionId: string): Stripe.ApiList<Stripe.LineItem> {
  const order = world.state.checkoutOrders[sessionId];
  const url = `/v1/checkout/sessions/${sessionId}/line_items`;
  if (!order) return listOf<Stripe.LineItem>([], url);
  const price = world.find('prices', order.priceId);
  const amount = (price.unit_amount ?? 0) * order.quantity;
  const line: Stripe.LineItem = {
    id: `li_${sessionId.slice(-24)}`,
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: world.find('products', price.product as string).name,
    metadata: null,
    price,
    quantity: order.quantity,
  };
  return listOf([line], url);
}

/** Returns a copy with the named references replaced by their objects (`expand[]`, at most four levels). */
export function expand(world: World, answer: object, paths: string[]): object {
  const copy = structuredClone(answer) as Record<string, unknown>;
  for (const path of paths) {
    const segments = path.split('.');
    if (segments.filter((segment) => segment !== 'data').length > 4)
      throw invalid('You cannot expand more than 4 levels of a property', 'expand');
    walk(world, copy, segments, path);
  }
  return copy;
}

/** Expandable fields that are absent until they have a value. */
const OPTIONAL: ReadonlySet<string> = new Set(['refund.failure_balance_transaction']);

function walk(world: World, node: unknown, segments: string[], path: string): void {
  const [field, ...rest] = segments;
  if (field === undefined || node === null || node === undefined) return;
  if (Array.isArray(node)) {
    for (const item of node) walk(world, item, segments, path);
    return;
  }
  const object = node as Record<string, unknown>;
  const refuse = (): never => {
    throw invalid(`This property cannot be expanded (${path}).`, 'expand');
  };
  const extra = included(world, object, field);
  if (extra) object[field] = structuredClone(extra);
  if (OPTIONAL.has(`${String(object['object'])}.${field}`) && !(field in object)) return;
  if (!(field in object)) refuse();
  const value = object[field];
  if (typeof value === 'string') {
    object[field] = structuredClone(world.lookup(value) ?? refuse());
  } else if (rest.length === 0 && !extra && typeof value !== 'object') refuse();
  walk(world, object[field], rest, path);
}
