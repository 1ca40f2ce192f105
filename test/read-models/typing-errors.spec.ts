import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TextTableBuilder } from '../../adapters/platform/search/text-table.js';

const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789éñ');
const typedWord = fc.string({ unit: letter, minLength: 4, maxLength: 20 });
const edit = fc.record({
  kind: fc.constantFrom('insert' as const, 'remove' as const, 'replace' as const),
  at: fc.nat(20),
  by: letter,
});

it('[SRCH-704] finds a word of four letters with one typing error, and of eight letters with two, in any title', () => {
  fc.assert(
    fc.property(typedWord, edit, edit, (typed, first, second) => {
      const errors = typed.length < 8 ? [first] : [first, second];
      const word = errors.reduce((text, { kind, at, by }) => {
        const place = at % text.length;
        return (
          text.slice(0, place) + (kind === 'remove' ? '' : by) + text.slice(place + Number(kind !== 'insert'))
        );
      }, typed);
      const titles = new TextTableBuilder();
      for (const title of ['', `dusty ${word}`, `${word} loop`]) titles.add(title);
      expect([...titles.finish().near(typed)]).toEqual([1, 2]);
    }),
    { numRuns: 2_000 },
  );
});
