import { expect, it } from '@jest/globals';
import { pathOfThisSite } from '../../application/accounts/values.js';
import { RETURN_ADDRESSES } from '../support/return-addresses.js';

const ORIGIN = 'http://offcut.example';

it('[DOOR-05] is a page of this site, however it is spelled, and for a second reader too', () => {
  expect(RETURN_ADDRESSES.length).toBeGreaterThan(140);
  const led = RETURN_ADDRESSES.map(([asked]) => [asked, pathOfThisSite(asked, ORIGIN)]);
  expect(led).toEqual(RETURN_ADDRESSES);
  for (const [, path = ''] of led) {
    expect(new URL(path, ORIGIN).origin).toBe(ORIGIN);
    expect(pathOfThisSite(path, ORIGIN)).toBe(path);
  }
  for (const nothing of [undefined, null]) expect(pathOfThisSite(nothing, ORIGIN)).toBe('/');
});
