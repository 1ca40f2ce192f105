import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { CreatorTaxDetails, TaxDetailStore } from '../../application/payouts/tax-details.js';
import type { StoredTaxDetails } from '../../application/payouts/tax-details.js';
import { unseal } from '../../application/shared/keys/sealing.js';
import { NO_KEYS, SigningKeys, type ConfiguredKey } from '../../application/shared/keys/signing-keys.js';
import { TestClock } from '../support/app.js';

it('[BOOK-822, BOOK-833] numbers that were sealed with a former key, or the database’s, are sealed with the newest when they are read', async () => {
  const clock = new TestClock();
  const inDatabase = randomBytes(32);
  let row: StoredTaxDetails | undefined;
  const store = {
    find: async () => (row ? [row] : []),
    state: async (creatorId: string, details: Pick<StoredTaxDetails, 'stated' | 'sealedNumbers'>) => {
      row = { creatorId, ...details, fromProvider: null, changedAt: clock.now() };
    },
    reseal: async (_: string, before: Buffer, after: Buffer) => {
      if (row?.sealedNumbers?.equals(before)) row = { ...row, sealedNumbers: after };
    },
  } as unknown as TaxDetailStore;
  const key = (id: string): ConfiguredKey => ({
    id,
    secret: randomBytes(32),
    from: new Date(clock.now().getTime() - 1_000),
    withdrawn: false,
  });
  const withKeys = (...keys: ConfiguredKey[]) =>
    new CreatorTaxDetails(
      store,
      new SigningKeys({ get: async () => inDatabase }, { ...NO_KEYS, 'tax-details': keys }),
      clock,
    );
  const numbers = { taxIds: [{ country: 'DE', number: '12345678911' }], vatId: null };
  const opens = ({ secret }: { secret: Buffer }, of = 'ada') => {
    try {
      return JSON.parse(unseal(row?.sealedNumbers as Buffer, secret, of).toString());
    } catch {
      return undefined;
    }
  };
  const body = {
    kind: 'person' as const,
    legalName: 'Ada Byron',
    street: 'Weg 1',
    city: 'Bonn',
    region: null,
    postalCode: '53111',
    country: 'DE',
    birthDate: '1990-12-10',
    registrationNumber: null,
    ...numbers,
  };
  const answer = await withKeys().state('ada', body);
  expect(answer.stated?.taxIds).toEqual([{ country: 'DE', ending: '911' }]);
  expect(opens({ secret: inDatabase })).toEqual(numbers);
  // The row of one creator does not open as that of another.
  expect(opens({ secret: inDatabase }, 'otto')).toBeUndefined();
  const [first, second] = [key('first'), key('second')];
  expect(await withKeys(first).numbersOf(row!)).toEqual(numbers);
  expect(opens(first)).toEqual(numbers);
  expect(await withKeys({ ...first, withdrawn: true }, second).numbersOf(row!)).toEqual(numbers);
  expect(opens(second)).toEqual(numbers);
  expect(await withKeys(first).numbersOf(row!)).toBeUndefined();
});
