import type Stripe from 'stripe';
import { invalid, noSuch } from './faults.js';
import { customerTax } from './tax/taxes.js';
import { listOf, type World } from './world.js';
import type { Parameters } from './parameters.js';

/** Returns one page by `limit`, `starting_after` and `ending_before`. `items` are newest first. */
export function page<Item extends { id: string }>(
  items: Item[],
  parameters: Parameters,
  url: string,
): Stripe.ApiList<Item> {
  const limit = parameters.integer('limit') ?? 10;
  if (limit < 1 || limit > 100) throw invalid('Invalid limit: must be between 1 and 100', 'limit');
  const after = parameters.text('starting_after');
  const before = parameters.text('ending_before');
  if (after && before)
    throw invalid('Received both starting_after and ending_before parameters', 'starting_after');
  parameters.done();
  const indexOf = (id: string, param: string): number => {
    const index = items.findIndex((item) => item.id === id);
    if (index < 0) throw noSuch('object', id, param);
    return index;
  };
  const end = before ? indexOf(before, 'ending_before') : items.length;
  const start = after ? indexOf(after, 'starting_after') + 1 : before ? Math.max(0, end - limit) : 0;
  const data = items.slice(start, Math.min(end, start + limit));
  return { ...listOf(data, url), has_more: before ? start > 0 : start + limit < items.length };
}

/** Returns a list that an object contains only when it is expanded. */
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

/** Returns the line items of a checkout session. */
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
  const extra = included(world, object, field);
  if (extra) object[field] = structuredClone(extra);
  if (OPTIONAL.has(`${String(object['object'])}.${field}`) && !(field in object)) return;
  if (!(field in object)) throw invalid(`This property cannot be expanded (${path}).`, 'expand');
  const value = object[field];
  if (typeof value === 'string') {
    const found = world.lookup(value);
    if (!found) throw invalid(`This property cannot be expanded (${path}).`, 'expand');
    object[field] = structuredClone(found);
  } else if (rest.length === 0 && !extra && value !== null && !isObject(value))
    throw invalid(`This property cannot be expanded (${path}).`, 'expand');
  walk(world, object[field], rest, path);
}

const isObject = (value: unknown): boolean => typeof value === 'object';
