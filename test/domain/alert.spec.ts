import { expect, it } from '@jest/globals';
import { alertDecider, type AlertCommand, type AlertState } from '../../domain/alerts/alert.js';
import { inCurrency, microOf } from '../../domain/shared/micro-usd.js';

const now = '2026-11-20T12:00:00.000Z';
const alert = { key: 'k', kind: 'suspense', text: 'Look.' };
const raise: AlertCommand = { type: 'RaiseAlert', alert, now };
const see: AlertCommand = { type: 'SeeAlert', key: 'k', by: 'petra', now };
const retry: AlertCommand = { type: 'RetryAlert', key: 'k', by: 'petra', now };
const retried: AlertCommand = { type: 'SettleAlert', key: 'k', afterRetry: true, now };
const settle: AlertCommand = { type: 'SettleAlert', key: 'k', now };

/** Returns the events of these commands in order. */
function after(...commands: AlertCommand[]): string[] {
  let state: AlertState = alertDecider.initialState;
  return commands.flatMap((command) => {
    const decided = alertDecider.decide(command, state);
    if (!decided.accepted) return [decided.rejection.code];
    state = decided.events.reduce(alertDecider.evolve, state);
    return decided.events.map(({ type }) => type);
  });
}

it('[FIN-53] an alert is raised once while it lasts, seen once, and may come again when it was over', () => {
  expect(after(raise, raise, see, see, raise)).toEqual(['AlertRaised', 'AlertSeen']);
  expect(after(raise, settle, settle, raise)).toEqual(['AlertRaised', 'AlertSettled', 'AlertRaised']);
  expect(after(raise, see, settle, see, raise)).toEqual([
    'AlertRaised',
    'AlertSeen',
    'AlertSettled',
    'AlertRaised',
  ]);
  expect(after(settle, see)).toEqual(['NotFound']);
});

it('[ADM-41] what is tried again is over, or raised again; a try that died may be repeated', () => {
  expect(after(raise, retry, retried, retry)).toEqual([
    'AlertRaised',
    'AlertRetried',
    'AlertSettled',
    'NotFound',
  ]);
  const again = ['AlertRaised', 'AlertRetried', 'AlertRaised'];
  expect(after(raise, retry, raise, retried)).toEqual(again);
  expect(after(raise, see, retry, retry, raise)).toEqual(['AlertRaised', 'AlertSeen', ...again.slice(1)]);
  expect(after(raise, retried)).toEqual(['AlertRaised']);
});

it.each([
  [1_234, 'eur', 12_340_000, '12.34 EUR'],
  [-5, 'eur', -50_000, '-0.05 EUR'],
  [1_000, 'jpy', 1_000_000_000, '1000 JPY'],
  [1_234, 'kwd', 1_234_000, '1.234 KWD'],
  [1_234, 'isk', 12_340_000, '12.34 ISK'],
])('[FIN-56] %s of the smallest unit of %s are %s millionths: %s', (minor, currency, micro, text) => {
  expect(microOf(minor, currency)).toBe(micro);
  expect(inCurrency(micro, currency)).toBe(text);
});
