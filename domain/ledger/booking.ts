import { boundsOf } from './period.js';

export interface PeriodStep {
  type: 'PeriodSealed' | 'PeriodClosed' | 'PeriodReopened';
  /** A month such as `2026-10`. */
  month: string;
  position: number;
}

export interface Dated {
  type: string;
  data: Readonly<Record<string, unknown>>;
  position: number;
  recordedAt: Date;
}

/** Facts of the payment provider have the date on which they happened. Our own facts are recorded when they happen. */
const PROVIDER_FACTS: ReadonlySet<string> = new Set([
  'BalanceTransactionRecorded',
  'MovementHeldInSuspense',
  'MovementExplained',
  'TransferCreated',
  'TransferReversed',
  'BankPayoutSent',
  'BankPayoutArrived',
  'BankPayoutFailed',
  'InvoiceRefunded',
  'RefundPending',
  'RefundNoLongerPending',
  'RefundFailed',
  'RefundUndone',
  'DisputeOpened',
  'DisputeAdjusted',
  'DisputeWon',
  'DisputeLost',
  'LostDisputeWon',
  'ShareTakenBack',
]);

/** Returns when an event happened. Uses the time of recording if the event has no date or a later one. */
export function ownDateOf({ type, data, recordedAt }: Omit<Dated, 'position'>): Date {
  const said =
    type === 'CreditsGranted'
      ? data['invoice'] && data['grantedAt']
      : PROVIDER_FACTS.has(type)
        ? data['at']
        : undefined;
  if (typeof said !== 'string') return recordedAt;
  const at = new Date(said);
  return at < recordedAt ? at : recordedAt;
}

const beginOf = (time: Date): Date => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth()));

/** Returns whether an event was recorded in a later month (UTC) than the month in which it happened. */
export const isOfEarlierMonth = (event: Omit<Dated, 'position'>): boolean =>
  ownDateOf(event) < beginOf(event.recordedAt);

/**
 * Returns the time of an event in the books: its own date if that month was neither sealed nor closed, else the time
 * of recording. Months
 * close in order, so a closed month closes all earlier ones. An adjusting entry for a past month has `effectiveAt`.
 * @param steps the seals, closings and reopenings of all months
 */
export function bookedAt(event: Dated, steps: readonly PeriodStep[]): Date {
  const { effectiveAt } = event.data;
  if (typeof effectiveAt === 'string') return new Date(effectiveAt);
  const own = ownDateOf(event);
  if (!isOfEarlierMonth(event)) return own;
  const shut = new Map<string, boolean>();
  let sealed: string | undefined;
  for (const { type, month, position } of steps) {
    const concerned = own < boundsOf(month).to;
    // Older versions closed months without a seal. The stored sums of such a month include each event at its time of
    // recording.
    if (type === 'PeriodClosed' && sealed !== month && concerned && event.position < position)
      return event.recordedAt;
    sealed = type === 'PeriodSealed' ? month : sealed === month ? undefined : sealed;
    if (concerned && position < event.position) shut.set(month, type !== 'PeriodReopened');
  }
  return [...shut.values()].includes(true) ? event.recordedAt : own;
}
