import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpAnswer, HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';

let product: TestProduct;
const password = 'a fine pass phrase';

beforeAll(async () => {
  product = await startTestProduct({ FIRST_CREDITS: '3' });
});
afterAll(() => product?.stop());

/** Returns the token of the newest mail to the address with such a link. */
async function mailedToken(email: string, kind: 'verify' | 'reset'): Promise<string> {
  const { body } = await product.browser().get('/dev/mailbox?format=json');
  const links = (body as { to: string; links: string[] }[]).flatMap(({ to, links }) =>
    to === email ? links : [],
  );
  return links.map((link) => new URL(link).searchParams.get(kind)).find((token) => token !== null) as string;
}
const confirm = async (email: string): Promise<HttpAnswer> =>
  product.browser().post('/api/auth/verify-email', { token: await mailedToken(email, 'verify') });
const balanceOf = async (client: HttpClient): Promise<number> =>
  (await client.get('/api/credits')).body.balance;

describe('first credits', () => {
  it('[CRED-760] come with the first confirmed address, without value', async () => {
    const ada = await product.signedUp('ada@example.com');
    expect(await balanceOf(ada)).toBe(0);
    expect(await confirm(ada.email)).toMatchObject({ status: 200, body: { firstCredits: 3 } });
    expect((await ada.get('/api/credits')).body).toMatchObject({
      balance: 3,
      lots: [{ creditsGranted: 3, creditsLeft: 3, valueMicroUsd: 0 }],
    });
    expect((await ada.get('/api/credits/ledger')).body.items).toMatchObject([
      { reason: 'promotion', delta: 3 },
    ]);
    const { rows } = await product.resources.database.pool.query('select * from first_credits');
    // The address itself is not stored.
    expect(rows).toEqual([
      {
        address_digest: expect.stringMatching(/^[\w-]{43}$/),
        user_id: ada.userId,
        confirmed_at: expect.any(Date),
      },
    ]);
  });

  it('[CRED-760] come with a new password by mail, which confirms the address', async () => {
    const ben = await product.signedUp('ben@example.com');
    await ben.post('/api/auth/password/forgot', { email: ben.email });
    const token = await mailedToken(ben.email, 'reset');
    expect((await ben.post('/api/auth/password/reset', { token, password })).status).toBe(204);
    await ben.post('/api/auth/sign-in', { email: ben.email, password });
    expect(await balanceOf(ben)).toBe(3);
    expect((await confirm(ben.email)).status).toBe(204);
    expect(await balanceOf(ben)).toBe(3);
  });

  it('[CRED-761] come once: not after a change of address, nor with an address that was used', async () => {
    const cleo = await product.signedUp('cleo@example.com');
    await confirm(cleo.email);
    await cleo.patch('/api/me', { email: 'cleo-2@example.com' });
    expect((await confirm('cleo-2@example.com')).status).toBe(204);
    expect(await balanceOf(cleo)).toBe(3);
    expect((await cleo.delete('/api/me')).status).toBe(204);
    for (const email of ['cleo-2@example.com', 'Cleo+again@example.com']) {
      const again = await product.signedUp(email);
      expect((await confirm(again.email)).status).toBe(204);
      expect(await balanceOf(again)).toBe(0);
    }
    const { rows } = await product.resources.database.pool.query(
      'select * from first_credits where user_id = $1',
      [cleo.userId],
    );
    expect(rows).toEqual([]);
  });
});
