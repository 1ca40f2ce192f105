import { describe, expect, it } from '@jest/globals';
import { boundsOfQuarter, euroCents } from '../../domain/ledger/vat-rate.js';

describe('[FIN-713] the rate of a VAT return', () => {
  it.each([
    [1_250_000, '1.2500', 100],
    [-1_250_000, '1.2500', -100],
    [0, '1.1741', 0],
    [5_870, '1.1741', 0],
    [5_871, '1.1741', 1],
    [9_007_199_254_740_991, '0.2000', 4_503_599_627_370],
  ])(
    'converts %d micro-dollars at %s into %d euro cents, rounded to the nearest',
    (microUsd, rate, cents) => {
      expect(euroCents(microUsd, rate)).toBe(cents);
    },
  );

  it('belongs to three months', () => {
    expect(boundsOfQuarter('2026-Q4')).toEqual({ from: new Date('2026-10-01'), to: new Date('2027-01-01') });
    expect(() => boundsOfQuarter('2026-Q5')).toThrow();
  });
});
