import { describe, expect, it } from '@jest/globals';
import { isReservedName, skeletonOf } from '../../domain/accounts/display-name.js';

describe('[ACC-570] the skeleton of a display name', () => {
  it.each([
    ['Teo Marchetti', 'teo MARCHETTI'],
    ['Teo Marchetti', '  Teo\u00a0\u2003Marchetti '],
    ['Teo Marchetti', 'T\u200be\u00ado M\u202earchetti\ufeff'],
    ['Teo Marchetti', 'Тео Маrсhеtti'],
    ['Teo Marchetti', 'Ｔｅｏ 𝓜𝓪𝓻𝓬𝓱𝓮𝓽𝓽𝓲'],
    ['Teo Marchetti', 'Teo rnarchettl'],
    ['Kai', 'KAI'],
    ['Kai', 'Kal'],
    ['Lo-Fi 10', 'Lo‐Fi lO'],
    ['Zoë', 'Zoe\u0308'],
    ['ΒΕΤΑ', 'BETA'],
  ])('of %j is that of %j', (name, other) => {
    expect(skeletonOf(other)).toBe(skeletonOf(name));
  });

  it.each([
    ['Teo Marchetti', 'Leo Marchetti'],
    ['Zoë', 'Zoe'],
    ['Tape 2', 'Tape 3'],
    ['東京', '京都'],
  ])('of %j differs from that of %j', (name, other) => {
    expect(skeletonOf(other)).not.toBe(skeletonOf(name));
  });
});

it.each([
  'Offcut',
  'ОFFСUТ',
  'Offcut Support',
  'The Official 0ffcut',
  'admin',
  'A.d.m.i.n',
  'Аdmins',
  'Staff',
])('[ACC-571] %j is reserved', (name) => expect(isReservedName(name)).toBe(true));
it.each(['..', ' - ', '\u200b', '🎧'])('[ACC-571] %j has no letter or digit, so it is no name', (name) =>
  expect(isReservedName(name)).toBe(true),
);
it.each(['Adminton', 'The Staffords', '808', '東京', 'Rook & Daughters'])('[ACC-571] %j is free', (name) =>
  expect(isReservedName(name)).toBe(false),
);
