import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { AuthenticatorApp, codeAt } from '../../application/accounts/factors/one-time-codes.js';
import { unseal } from '../../application/shared/keys/sealing.js';
import type { CodeStore } from '../../application/accounts/factors/factor-stores.js';
import { NO_KEYS, SigningKeys, type ConfiguredKey } from '../../application/shared/keys/signing-keys.js';
import { TestClock } from '../support/app.js';

const STEP_MS = 30_000;

it('[SIGN-43] an app sealed with a former key, or the database’s, is sealed with the newest by its next right code', async () => {
  const clock = new TestClock();
  const inDatabase = randomBytes(32);
  const rows = new Map<string, Buffer>();
  const store = {
    keepApp: async (_: string, sealed: Buffer) => void rows.set('waiting', sealed),
    app: async (_: string, state: string) => {
      const sealedSecret = rows.get(state);
      return sealedSecret && { sealedSecret, createdAt: clock.now() };
    },
    confirmApp: async () => void rows.set('confirmed', rows.get('waiting') as Buffer),
    useStep: async () => true,
    resealApp: async (_: string, from: Buffer, to: Buffer) => {
      for (const [state, sealed] of rows) if (sealed.equals(from)) rows.set(state, to);
    },
  } as unknown as CodeStore;
  const key = (id: string, hours: number, withdrawn = false): ConfiguredKey => ({
    id,
    secret: randomBytes(32),
    from: new Date(clock.now().getTime() + hours * 3_600_000),
    withdrawn,
  });
  const withKeys = (...keys: ConfiguredKey[]) =>
    new AuthenticatorApp(
      store,
      new SigningKeys({ get: async () => inDatabase }, { ...NO_KEYS, 'authenticator-apps': keys }),
      clock,
    );
  const opens = ({ secret }: { secret: Buffer }) => {
    try {
      return unseal(rows.get('confirmed') as Buffer, secret, 'ada').length === 20;
    } catch {
      return false;
    }
  };
  const { uri } = await withKeys().order('ada', 'ada@example.com');
  expect(uri).toContain('otpauth://totp/');
  const secret = unseal(rows.get('waiting') as Buffer, inDatabase, 'ada');
  const code = () => codeAt(secret, Math.floor(clock.now().getTime() / STEP_MS));
  expect(await withKeys().confirm('ada', code())).toBe(true);

  // A key whose time has not begun seals nothing. A wrong code changes nothing.
  const [first, later] = [key('first', -1), key('later', 1)];
  expect(await withKeys(later).prove('ada', code())).toBe(true);
  const wrong = code().startsWith('0') ? '111111' : '000000';
  expect(await withKeys(first).prove('ada', wrong)).toBe(false);
  expect(opens({ secret: inDatabase })).toBe(true);
  expect(await withKeys(first, later).prove('ada', code())).toBe(true);
  expect(opens(first)).toBe(true);

  // A withdrawn key still opens the secret. The next correct code seals it with another key.
  const second = key('second', 0);
  expect(await withKeys({ ...first, withdrawn: true }, second).prove('ada', code())).toBe(true);
  expect(opens(second)).toBe(true);
  await expect(withKeys(first).prove('ada', code())).rejects.toThrow('no known key opens');
});
