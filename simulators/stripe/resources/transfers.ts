import type Stripe from 'stripe';
import { invalid, missing, StripeFault } from '../faults.js';
import { page } from '../listing.js';
import type { Call, Route } from '../router.js';
import { idOf, listOf, type World } from '../world.js';
import { availableCents, recordMovement } from './balance-transactions.js';

const insufficient = (): StripeFault =>
  new StripeFault(
    400,
    {
      type: 'invalid_request_error',
      code: 'balance_insufficient',
      message: 'You have insufficient available funds in your Stripe account.',
    },
    false,
    true,
  );

function amountOf({ parameters }: Call): number | undefined {
  const amount = parameters.integer('amount');
  if (amount !== undefined && amount < 1) throw invalid('Invalid positive integer', 'amount');
  return amount;
}

/** Whether a test makes this transfer fail for lack of money. */
function refusedOnPurpose(world: World): boolean {
  const { failTransfers } = world.state;
  if (failTransfers.how !== 'insufficient' || failTransfers.times === 0) return false;
  failTransfers.times -= 1;
  return true;
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
    throw new StripeFault(400, {
      type: 'invalid_request_error',
      code: 'insufficient_capabilities_for_transfer',
      message: 'Your destination account needs to have the capability enabled: transfers.',
    });
  if (refusedOnPurpose(world) || availableCents(world) < amount) throw insufficient();
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
  world.objects.transfers[id] = transfer;
  world.emit('transfer.created', transfer);
  return transfer;
}

/** Reverses a transfer, fully unless an amount is given. */
export function reverseTransfer(
  world: World,
  transfer: Stripe.Transfer,
  given: { amount?: number; metadata?: Record<string, string> } = {},
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

function reverse(call: Call): object {
  const { world, path, parameters } = call;
  const transfer = world.find('transfers', path['id'] as string);
  const amount = amountOf(call);
  parameters.text('description');
  const metadata = parameters.metadata();
  parameters.done();
  return reverseTransfer(world, transfer, { ...(amount === undefined ? {} : { amount }), metadata });
}

function list({ world, parameters }: Call): object {
  const group = parameters.text('transfer_group');
  const destination = parameters.text('destination');
  const created = parameters.range('created');
  const found = world
    .all('transfers')
    .filter(
      (transfer) =>
        (!group || transfer.transfer_group === group) &&
        (!destination || idOf(transfer.destination) === destination) &&
        (!created || created(transfer.created)),
    );
  return page(found, parameters, '/v1/transfers');
}

export const transferRoutes: Route[] = [
  { method: 'POST', pattern: '/v1/transfers', answer: create },
  { method: 'GET', pattern: '/v1/transfers', answer: list },
  {
    method: 'GET',
    pattern: '/v1/transfers/:id',
    answer: ({ world, path, parameters }) => {
      parameters.done();
      return world.find('transfers', path['id'] as string);
    },
  },
  { method: 'POST', pattern: '/v1/transfers/:id/reversals', answer: reverse },
  {
    method: 'GET',
    pattern: '/v1/transfers/:id/reversals',
    answer: ({ world, path, parameters }) => {
      const transfer = world.find('transfers', path['id'] as string);
      return page(transfer.reversals.data, parameters, `/v1/transfers/${transfer.id}/reversals`);
    },
  },
];
