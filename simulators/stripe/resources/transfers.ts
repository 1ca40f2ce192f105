import type Stripe from 'stripe';
import { invalid, missing, refusedForKey } from '../faults.js';
import { list, page, retrieve, type Call, type Routes } from '../router.js';
import { listOf, countDown, type World } from '../world.js';
import { availableCents, recordMovement } from './balance.js';

function amountOf({ parameters }: Call): number | undefined {
  const amount = parameters.integer('amount');
  if (amount !== undefined && amount < 1) throw invalid('Invalid positive integer', 'amount');
  return amount;
}

function create(call: Call): object {
  const { world, parameters } = call;
  const amount = amountOf(call);
  if (amount === undefined) throw missing('amount');
  const currency = parameters.required('currency');
  const account = world.find('accounts', parameters.required('destination'), 'destination');
  const group = parameters.text('transfer_group') ?? null;
  const description = parameters.text('description') ?? null;
  const metadata = parameters.metadata();
  parameters.done();
  if (currency !== 'usd') throw invalid(`${currency} is not supported here, only usd`, 'currency');
  if (account.capabilities?.transfers !== 'active')
    throw invalid(
      'Your destination account needs to have the capability enabled: transfers.',
      undefined,
      'insufficient_capabilities_for_transfer',
    );
  const { failTransfers } = world.state;
  const refusedOnPurpose = failTransfers.how === 'insufficient' && countDown(failTransfers);
  if (refusedOnPurpose || availableCents(world) < amount)
    throw refusedForKey(
      'balance_insufficient',
      'You have insufficient available funds in your Stripe account.',
    );
  const id = world.id('tr');
  const transfer: Stripe.Transfer = {
    id,
    object: 'transfer',
    amount,
    amount_reversed: 0,
    balance_transaction: recordMovement(world, {
      type: 'transfer',
      amount: -amount,
      source: id,
      description,
    }),
    created: world.now(),
    currency,
    description,
    destination: account.id,
    destination_payment: world.id('py'),
    livemode: false,
    metadata,
    reversals: listOf([], `/v1/transfers/${id}/reversals`),
    reversed: false,
    source_transaction: null,
    source_type: 'card',
    transfer_group: group,
  };
  return world.add('transfers', transfer, 'transfer.created');
}

/** Reverses a transfer, fully unless an amount is given. */
export function reverseTransfer(
  world: World,
  transfer: Stripe.Transfer,
  given: { amount?: number | undefined; metadata?: Record<string, string> } = {},
): Stripe.TransferReversal {
  const left = transfer.amount - transfer.amount_reversed;
  const amount = given.amount ?? left;
  if (left === 0 || amount > left)
    throw invalid(
      `Reversal amount ($${amount / 100}) is greater than what is left ($${left / 100})`,
      'amount',
    );
  const id = world.id('trr');
  const reversal: Stripe.TransferReversal = {
    id,
    object: 'transfer_reversal',
    amount,
    balance_transaction: recordMovement(world, {
      type: 'transfer_refund',
      amount,
      source: id,
      description: `REFUND FOR TRANSFER (${transfer.id})`,
    }),
    created: world.now(),
    currency: transfer.currency,
    destination_payment_refund: world.id('pyr'),
    metadata: given.metadata ?? {},
    source_refund: null,
    transfer: transfer.id,
  };
  const previous = { amount_reversed: transfer.amount_reversed, reversed: transfer.reversed };
  transfer.amount_reversed += amount;
  transfer.reversed = transfer.amount_reversed === transfer.amount;
  transfer.reversals.data.unshift(reversal);
  world.emit('transfer.reversed', transfer, previous);
  return reversal;
}

export const transferRoutes: Routes = {
  'POST /v1/transfers': create,
  'GET /v1/transfers': list('transfers', ['transfer_group', 'destination', 'created']),
  'GET /v1/transfers/:id': retrieve('transfers'),
  'POST /v1/transfers/:id/reversals': (call) => {
    const { world, id, parameters } = call;
    const transfer = world.find('transfers', id);
    const amount = amountOf(call);
    parameters.text('description');
    const metadata = parameters.metadata();
    parameters.done();
    return reverseTransfer(world, transfer, { amount, metadata });
  },
  'GET /v1/transfers/:id/reversals': (call) =>
    page(call.world.find('transfers', call.id).reversals.data, call),
};
