import { accept, reject, type Decision, type Decider } from '../shared/decision.js';
import { creditAccountDecider, type CreditAccount, type CreditEvent } from './credit-account.js';
import {
  decideInvoiceLot,
  evolveInvoiceLot,
  paidLotOf,
  type InvoiceLot,
  type InvoiceLotCommand,
  type InvoiceLotRejection,
} from './invoice-lot.js';
import { leftOf } from './lot-payment.js';

type Answer = Decision<CreditEvent, InvoiceLotRejection>;
type Part = { lot: InvoiceLot; command: InvoiceLotCommand };

/** A refund or dispute of one invoice. `lotIds` are the lots of its lines; money is taken from the first lot first. */
export interface CorrectInvoice {
  lotIds: readonly string[];
  correction: InvoiceLotCommand;
  /** When the refund or dispute happened, according to the payment provider. */
  at?: string;
}

export interface InvoicedAccount {
  account: CreditAccount;
  /** The payments behind the lots, by lot id. */
  lots: ReadonlyMap<string, InvoiceLot>;
}

/** Decides a refund or dispute for the lots of an invoice. All lots accept it, or none. */
function decide(command: CorrectInvoice, known: InvoicedAccount): Answer {
  const { at } = command;
  const decided = decideCorrection(command, known);
  if (at === undefined || !decided.accepted) return decided;
  const events = decided.events.map(({ type, data }) => ({ type, data: { ...data, at } }) as CreditEvent);
  return { ...decided, events };
}

function decideCorrection(
  { lotIds, correction }: CorrectInvoice,
  { account, lots: known }: InvoicedAccount,
): Answer {
  const lots = lotIds.flatMap((lotId) => known.get(lotId) ?? []);
  if (lots.length === 0) return reject({ code: 'NotFound' });
  if (correction.type === 'RefundUnspent') return refundUnspent(correction, lots, account);
  const parts = partsOf(correction, lots);
  return 'code' in parts ? reject(parts) : decideParts(parts, account);
}

function evolve({ account, lots }: InvoicedAccount, event: CreditEvent): InvoicedAccount {
  const lotId = paidLotOf(event);
  const lot = lotId === undefined ? undefined : evolveInvoiceLot(lots.get(lotId), event);
  return {
    account: creditAccountDecider.evolve(account, event),
    lots: lot ? new Map([...lots, [lot.lotId, lot]]) : lots,
  };
}

function decideParts(parts: readonly Part[], account: CreditAccount): Answer {
  const events: CreditEvent[] = [];
  for (const { lot, command } of parts) {
    const decided = decideInvoiceLot(command, lot, events.reduce(creditAccountDecider.evolve, account));
    if (!decided.accepted) return decided;
    events.push(...decided.events);
  }
  return accept(...events);
}

function refundUnspent(
  command: Extract<InvoiceLotCommand, { type: 'RefundUnspent' }>,
  lots: readonly InvoiceLot[],
  account: CreditAccount,
): Answer {
  const decisions = lots.map((lot, line) => {
    // The provider makes one refund for each id, so each lot needs its own id.
    const refundId = line === 0 ? command.refundId : `${command.refundId}.${line + 1}`;
    return decideInvoiceLot({ ...command, refundId }, lot, account);
  });
  const refusals = decisions.flatMap((decided) => (decided.accepted ? [] : [decided.rejection]));
  const obstacle = refusals.find(({ code }) => code !== 'NothingToRefund');
  if (obstacle) return reject(obstacle);
  // Lots without anything to refund do not prevent the refund of the others.
  if (refusals.length === lots.length) return reject({ code: 'NothingToRefund' });
  const events = decisions.flatMap((decided) => (decided.accepted ? decided.events : []));
  const amountMicroUsd = events.reduce(
    (sum, { type, data }) => (type === 'InvoiceRefunded' ? sum + data.netMicroUsd + data.taxMicroUsd : sum),
    0,
  );
  if (amountMicroUsd > (command.mostMicroUsd ?? Infinity))
    return reject({ code: 'RefundTooLarge', amountMicroUsd });
  return accept(...events);
}

function partsOf(
  command: Exclude<InvoiceLotCommand, { type: 'RefundUnspent' }>,
  lots: readonly InvoiceLot[],
): Part[] | InvoiceLotRejection {
  const all = lots.map((lot) => ({ lot, command }));
  switch (command.type) {
    case 'RecordRefund': {
      const known = all.filter(({ lot }) => hasRefund(lot, command.refundId));
      return known.length > 0 ? known : apportion(command, lots);
    }
    case 'RecordDispute': {
      const known = all.filter(({ lot }) => hasDispute(lot, command.disputeId));
      if (known.length > 0) return known;
      // The provider charges its dispute fee once, so only the first lot's part has the fee.
      return apportion(command, lots).map(({ lot, command: part }, line) => ({
        lot,
        command: line === 0 ? part : { ...part, feeMicroUsd: 0 },
      }));
    }
    case 'RecordRefundFailure':
    case 'RecordRefundPending':
    case 'RecordRefundSent':
    case 'UndoRefund': {
      const known = all.filter(({ lot }) => hasRefund(lot, command.refundId));
      return known.length > 0 ? known : { code: 'NotFound' };
    }
    // The adjustment changes only the first disputed lot. Any excess over this lot goes to the suspense account.
    case 'AdjustDispute': {
      const known = all.filter(({ lot }) => hasDispute(lot, command.disputeId)).slice(0, 1);
      return known.length > 0 ? known : { code: 'NotFound' };
    }
    case 'RecordDisputeClosed': {
      const known = all.filter(({ lot }) => hasDispute(lot, command.disputeId));
      if (known.length === 0) return { code: 'NotFound' };
      return known.map(({ lot }) => ({
        lot,
        command: { ...command, shares: command.shares.filter(({ lotId }) => lotId === lot.lotId) },
      }));
    }
  }
}

const hasRefund = ({ refunds }: InvoiceLot, id: string): boolean =>
  refunds.some(({ refundId }) => refundId === id);
const hasDispute = ({ disputes }: InvoiceLot, id: string): boolean =>
  disputes.some(({ disputeId }) => disputeId === id);

/** Splits an amount over the lots in order, up to the money left in each. The first lot also takes any excess. */
function apportion<Command extends InvoiceLotCommand & { amountMicroUsd: number }>(
  command: Command,
  lots: readonly InvoiceLot[],
): { lot: InvoiceLot; command: Command }[] {
  let rest = command.amountMicroUsd;
  const shares = lots.map((lot) => {
    const amountMicroUsd = Math.min(rest, leftOf(lot));
    rest -= amountMicroUsd;
    return { lot, amountMicroUsd };
  });
  const covered = shares.filter(({ amountMicroUsd }) => amountMicroUsd > 0);
  return (covered.length > 0 ? covered : shares.slice(0, 1)).map(({ lot, amountMicroUsd }, line) => ({
    lot,
    command: { ...command, amountMicroUsd: amountMicroUsd + (line === 0 ? rest : 0) },
  }));
}

export const invoiceDecider: Decider<CorrectInvoice, InvoicedAccount, CreditEvent, InvoiceLotRejection> = {
  streamOf: creditAccountDecider.streamOf,
  initialState: { account: creditAccountDecider.initialState, lots: new Map() },
  decide,
  evolve,
};
