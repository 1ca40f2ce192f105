import { expect, it } from '@jest/globals';
import { countedTerm } from '../../domain/library/search-term.js';

it.each([
  ['  Dusty \t BREAK ', 'dusty break'],
  ['ＦＭ bass', 'fm bass'],
  ['90 bpm', '90 bpm'],
  ['808', '808'],
])('[STAT-801] counts %j as %j', (words, term) => expect(countedTerm(words)).toBe(term));

it.each(['', ' x ', 'ada@example.com', 'https://example.com', '+49 170 1234567', '123456', 'a'.repeat(41)])(
  '[STAT-801] does not keep %j',
  (words) => expect(countedTerm(words)).toBeUndefined(),
);
