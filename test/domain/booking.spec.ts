import { expect, it } from '@jest/globals';
import { bookedAt, type PeriodStep } from '../../domain/ledger/booking.js';

const RECORDED = new Date('2026-11-02T10:00:00.000Z');
const OWN = '2026-09-30T23:59:00.000Z';
const steps = (...types: PeriodStep['type'][]): PeriodStep[] =>
  types.map((type, index) => ({ type, month: '2026-09', position: 10 * (index + 1) }));
const booked = (
  position: number,
  known: PeriodStep[],
  event: { type?: string; data?: object } = {},
): string =>
  bookedAt(
    { type: 'DisputeLost', position, recordedAt: RECORDED, ...event, data: { at: OWN, ...event.data } },
    known,
  ).toISOString();
const WHEN_RECORDED = RECORDED.toISOString();

it.each([
  'BalanceTransactionRecorded',
  'MovementHeldInSuspense',
  'MovementExplained',
  'TransferCreated',
  'TransferReversed',
  'BankPayoutSent',
  'BankPayoutArrived',
  'BankPayoutFailed',
  'InvoiceRefunded',
  'RefundFailed',
  'DisputeOpened',
  'DisputeWon',
  'DisputeLost',
  'ShareTakenBack',
])('[FIN-501] %s is posted at its own date while its month is open, else when it was recorded', (type) => {
  expect(booked(5, [], { type })).toBe(OWN);
  expect(booked(15, steps('PeriodSealed'), { type })).toBe(WHEN_RECORDED);
});

it('[FIN-501] a payment is posted when it was paid; what the shop does itself, when it was recorded', () => {
  const paid = { grantedAt: OWN, at: undefined };
  expect(booked(5, [], { type: 'CreditsGranted', data: { ...paid, invoice: {} } })).toBe(OWN);
  // Returned credits keep the date of their lot.
  expect(booked(5, [], { type: 'CreditsGranted', data: paid })).toBe(WHEN_RECORDED);
  expect(booked(5, [], { type: 'PurchaseReturned' })).toBe(WHEN_RECORDED);
  expect(booked(5, [], { data: { at: undefined } })).toBe(WHEN_RECORDED);
  expect(booked(5, [], { data: { at: '2026-11-02T10:00:01.000Z' } })).toBe(WHEN_RECORDED);
});

it('[FIN-501] a month is shut from its seal on, until it is reopened; it shuts all months before it', () => {
  const all = steps('PeriodSealed', 'PeriodClosed', 'PeriodReopened', 'PeriodSealed', 'PeriodClosed');
  const times = [5, 15, 25, 35, 45, 55].map((position) => booked(position, all) === OWN);
  expect(times).toEqual([true, false, false, true, false, false]);
  expect(booked(15, steps('PeriodSealed'), { data: { at: '2026-08-05T00:00:00.000Z' } })).toBe(WHEN_RECORDED);
  expect(booked(15, steps('PeriodSealed'), { data: { at: '2026-10-01T00:00:00.000Z' } })).not.toBe(
    WHEN_RECORDED,
  );
});

it('[FIN-501] a month that an earlier version closed keeps what it was summed up by: the time of recording', () => {
  const all = steps('PeriodClosed', 'PeriodReopened', 'PeriodSealed', 'PeriodClosed');
  const times = [5, 15, 25, 35].map((position) => booked(position, all) === OWN);
  expect(times).toEqual([false, false, true, false]);
});
