import { expect, it } from '@jest/globals';
import { base32, codeAt, stepOf } from '../../application/accounts/factors/one-time-codes.js';
import { seal, unseal } from '../../application/shared/keys/sealing.js';

const secret = Buffer.from('12345678901234567890');

it('[SIGN-06] codes are those of RFC 4226, appendix D', () => {
  const codes = '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' ');
  expect(codes.map((_, counter) => codeAt(secret, counter))).toEqual(codes);
});

it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('[SIGN-06] at %d seconds the code is that of RFC 6238', (seconds, code) => {
  expect(stepOf(code, secret, new Date(seconds * 1_000))).toBe(Math.floor(seconds / 30));
  expect(stepOf(code, secret, new Date((seconds + 61) * 1_000))).toBeUndefined();
});

it('base32 is that of RFC 4648', () => {
  expect(base32(Buffer.from('fooba'))).toBe('MZXW6YTB');
  expect(base32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
});

it('[SIGN-07] what is sealed for one person opens for no other, and not once changed', () => {
  const key = Buffer.alloc(32, 7);
  const sealed = seal(secret, key, 'ada');
  expect(unseal(sealed, key, 'ada')).toEqual(secret);
  expect(() => unseal(sealed, key, 'mallory')).toThrow();
  expect(() => unseal(sealed, Buffer.alloc(32, 8), 'ada')).toThrow();
  sealed[20] = (sealed[20] ?? 0) ^ 1;
  expect(() => unseal(sealed, key, 'ada')).toThrow();
});
