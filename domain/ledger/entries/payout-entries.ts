import { creatorAccount } from '../accounts.js';
import { CASH, IN_TRANSIT, moved, type Entry } from './entry-parts.js';

/** Payments to creators, and our own payouts to the bank. */
export type PayoutFact =
  | {
      type:
        | 'WithdrawalRequested'
        | 'TransferCreated'
        | 'WithdrawalFailed'
        | 'TransferReversed'
        | 'CreatorDebtWrittenOff';
      data: { creatorId: string; amountMicroUsd: number };
    }
  | { type: 'BankPayoutSent' | 'BankPayoutArrived'; data: { amountMicroUsd: number } }
  | { type: 'BankPayoutFailed'; data: { amountMicroUsd: number; arrived: boolean } };

export function payoutEntry(event: PayoutFact): Entry | undefined {
  switch (event.type) {
    case 'WithdrawalRequested':
      return moved('withdrawal-requested', creatorAccount(event.data.creatorId), IN_TRANSIT, event.data);
    case 'TransferCreated':
      return moved('transfer-created', IN_TRANSIT, CASH, event.data);
    case 'WithdrawalFailed':
      return moved('withdrawal-failed', IN_TRANSIT, creatorAccount(event.data.creatorId), event.data);
    case 'TransferReversed':
      return moved('transfer-reversed', CASH, creatorAccount(event.data.creatorId), event.data);
    case 'CreatorDebtWrittenOff':
      return moved('debt-written-off', 'creator-losses', creatorAccount(event.data.creatorId), event.data);
    case 'BankPayoutSent':
      return moved('bank-payout-sent', 'bank:in-transit', CASH, event.data);
    case 'BankPayoutArrived':
      return moved('bank-payout-arrived', 'bank', 'bank:in-transit', event.data);
    case 'BankPayoutFailed':
      return moved('bank-payout-failed', CASH, event.data.arrived ? 'bank' : 'bank:in-transit', event.data);
  }
}
