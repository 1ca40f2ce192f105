import { describe, expect, it } from '@jest/globals';
import { dictionary } from '@zxcvbn-ts/language-common';
import { ZxcvbnCommonPasswords } from '../../adapters/vendors/zxcvbn/common-passwords.js';
import { judgePassword as judge } from '../../domain/accounts/password.js';
import { defaultHandle, foldHandle, handleCandidates } from '../../domain/profiles/handle.js';
import { savedItemId, type SavedThing } from '../../application/library/library.js';

const owner = { email: 'ada@example.com', displayName: 'Ada Lovelace' };
const common = new ZxcvbnCommonPasswords();
const judgePassword = (password: string, person: { email: string; displayName?: string }) =>
  judge(password, person, common);
const isAccepted = (password: string): boolean => judgePassword(password, owner).accepted;

describe('passwords', () => {
  it.each(['correct horse battery', 'zR7-plum-lantern', 'äöüßéñçø', 'offcut-demo-2026'])(
    'accepts %j',
    (password) => {
      expect(judgePassword(password, owner)).toEqual({ accepted: true, events: [] });
    },
  );

  it('[AUTH-16] refuses a short password and names the real minimum', () => {
    expect(judgePassword('x7-quay', owner)).toMatchObject({
      accepted: false,
      rejection: { code: 'WeakPassword', reasons: ['Password must be at least 8 characters'] },
    });
  });

  it('[AUTH-16] counts characters, not UTF-16 units', () => {
    expect(judgePassword('🎵🎶🥁🎹', owner).accepted).toBe(false);
  });

  it.each([
    'password',
    'PASSWORD1',
    'Passw0rd!',
    '12345678',
    '87654321',
    'qwertyui',
    'aaaaaaaa',
    'abababab',
    '123123123',
    'abcdefgh',
    'iloveyou',
    'letmein123',
  ])('[AUTH-16] refuses the common password %j', (password) => {
    expect(isAccepted(password)).toBe(false);
  });

  it('[AUTH-16] refuses each of the 10,000 most common passwords', () => {
    const list = dictionary['passwords-common'].slice(0, 10_000).map(String);
    expect(list).toHaveLength(10_000);
    expect(list.filter(isAccepted)).toEqual([]);
  });

  it('[AUTH-16] refuses the owner’s own address and name', () => {
    expect(judgePassword('Ada@Example.com', owner).accepted).toBe(false);
    expect(judgePassword('ada lovelace', owner).accepted).toBe(false);
  });

  it('[SIGN-31] refuses words of the owner’s address and name, and ours, as more than half of it', () => {
    const person = { email: 'mira.stone@vinylshop.example', displayName: 'DJ Käse Übermut' };
    for (const password of [
      'mira.stone',
      'Stone2026',
      'MiraStone',
      'vinylshop!',
      'xVinylShop12',
      'käse2026x',
      'übermut1',
      'dj käse übermut',
      'mira.stone@vinylshop.example',
      'offcut77',
      'OFFCUT-2026',
    ])
      expect([password, judgePassword(password, person).accepted]).toEqual([
        password,
        password === 'käse2026x',
      ]);
    for (const password of ['stonewalled in autumn', 'a mira in the morning', 'offcut-demo-2026'])
      expect(judgePassword(password, person).accepted).toBe(true);
  });

  it('[SIGN-31] refuses common words with what people put behind them, doubled, and with signs for letters', () => {
    for (const password of [
      'sunshine99',
      'Dragon2024',
      'Liverpool!',
      'summer2031',
      'P4ssw0rd#12',
      'dr4g0n1999',
      'tigertiger',
      'ninja_12',
      'Michael1987',
      'guitar$$',
      'monkeymonkey7',
      'C0mputer!',
      'Pr1ncess01',
      'starwars.77',
    ])
      expect([password, isAccepted(password)]).toEqual([password, false]);
    for (const password of [
      'dragon and lamp',
      'sunshine482913',
      'tigerlantern',
      'x7dragon9q',
      '4711 kettles',
      'nine monkeys sing',
    ])
      expect([password, isAccepted(password)]).toEqual([password, true]);
  });
});

describe('handles', () => {
  it.each([
    ['Lo-Fi Cat', 'Lo_Fi_Cat'],
    ['DJ  Ünal 3', 'DJ__Ünal_3'],
    ['a/b\\c..d', 'a_b_c__d'],
    ['***', '___'],
    ['  ', '_'],
    ['x'.repeat(200), 'x'.repeat(60)],
  ])('[PROF-10] makes %j into %j', (name, handle) => {
    expect(defaultHandle(name)).toBe(handle);
  });

  it('[PROF-10] offers -2 and -3 when the plain one is taken', () => {
    const candidates = handleCandidates('Lo Fi');
    const offered = [candidates.next().value, candidates.next().value, candidates.next().value];
    expect(offered).toEqual(['Lo_Fi', 'Lo_Fi-2', 'Lo_Fi-3']);
  });

  it('[PROF-10] tells handles apart without regard to case', () => {
    expect(foldHandle('Lo_Fi')).toBe(foldHandle('lo_FI'));
  });
});

describe('saved items', () => {
  const cases: Array<[SavedThing, string]> = [
    [{ type: 'sample', id: 's1', fileUrl: '/a.wav', artist: 'Ada', title: 'Kick' }, 's1'],
    [{ type: 'pack', fileUrl: '/a.wav', creator: 'Ada', title: 'Kicks' }, 'file:/a.wav'],
    [{ type: 'pack', creator: 'Ada', title: 'Kicks', artist: 'Bob' }, 'pack:Ada:Kicks'],
    [{ type: 'sample', artist: 'Ada', title: 'Kick', creator: 'Bob' }, 'sample:Ada:Kick'],
    [{ type: 'track', artist: 'Ada', title: 'Kick' }, 'track:Kick'],
    [{ type: 'sample', title: 'Kick' }, 'sample:Kick'],
    [{ type: 'pack', title: 'Kicks' }, 'pack:Kicks'],
    [{ type: 'pack', creator: 'Ada', name: 'Kicks' }, 'pack:Ada:Kicks'],
    [{ type: 'track', id: '', fileUrl: null, title: 'Kick' }, 'track:Kick'],
  ];
  it.each(cases)('[SAVE-07] names %j %j', (thing, id) => {
    expect(savedItemId(thing)).toBe(id);
  });
});
