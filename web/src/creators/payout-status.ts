import type { CreatorBalance, Payout, StatementLine } from '../../../application/payouts/contract.js';
import { formatDay } from '../ui/format.js';

export const wholeCents = (microUsd: number): number => Math.floor(microUsd / 10_000);

/** The unpaid parts of a balance in dollars, for the bar `Tape`. Negative amounts count as 0. */
export function unpaidParts({ availableMicroUsd, heldMicroUsd }: CreatorBalance) {
  const dollars = (microUsd: number) => Math.max(0, wholeCents(microUsd)) / 100;
  return [
    { label: 'Available', amount: dollars(availableMicroUsd), colour: 'var(--sticker)' },
    { label: 'On hold', amount: dollars(heldMicroUsd), colour: 'var(--sticker)', hatched: true },
  ];
}

export const PAYOUT_STATUS: Record<Payout['status'], string> = {
  requested: 'on its way',
  unknown: 'being checked',
  paid: 'paid',
  partly_reversed: 'partly reversed',
  reversed: 'reversed',
  failed: 'failed',
};

export const PAYOUT_TONE = {
  requested: 'info',
  unknown: 'warn',
  paid: 'ok',
  partly_reversed: 'warn',
  reversed: 'danger',
  failed: 'danger',
} as const satisfies Record<Payout['status'], string>;

export function titleOfLine({ kind, sampleTitle, sampleId, reversedPayoutAt }: StatementLine): string {
  if (kind === 'reversal') return 'Sales undone after they were paid';
  if (kind === 'payout_reversal')
    return `Reversed payout${reversedPayoutAt ? ` of ${formatDay(reversedPayoutAt)}` : ''}, paid again`;
  return sampleTitle ?? sampleId ?? '';
}
