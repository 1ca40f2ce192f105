import { describe, expect, it } from '@jest/globals';
import { spread, varied } from '../../domain/catalogue/variety.js';

const named = (names: string) => [...names].map((group, at) => ({ group, at }));
const shown = (items: readonly { group: string }[]) => items.map(({ group }) => group).join('');
const groupOf = ({ group }: { group: string }) => group;

describe('a varied list', () => {
  it('[DISC-720] has at most so many of one group, in the order of the candidates', () => {
    expect(shown(varied(named('aaabacbbd'), 5, [{ most: 2, groupOf }]))).toBe('aabcb');
  });

  it('[DISC-720] is filled with what is beyond the limit only where nothing else is left', () => {
    expect(shown(varied(named('aaab'), 4, [{ most: 2, groupOf }]))).toBe('aaba');
  });

  it('[HOME-720] keeps several limits at once', () => {
    const parity = { most: 1, groupOf: ({ at }: { at: number }) => String(at % 2) };
    expect(varied(named('aabb'), 2, [{ most: 1, groupOf }, parity]).map(({ at }) => at)).toEqual([0, 3]);
  });

  it('[DISC-720] puts similar covers apart as far as possible', () => {
    expect(shown(spread(named('aabbc'), groupOf))).toBe('ababc');
    expect(shown(spread(named('aaab'), groupOf))).toBe('abaa');
    expect(spread([], groupOf)).toEqual([]);
  });
});
