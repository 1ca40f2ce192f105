import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { GoogleStandIn } from '../support/google.js';
import type { TestProduct } from '../support/product.js';
import { Visits } from '../support/shop.js';

const PASSWORD = 'a fine pass phrase';

/** The whole sign-in in a real browser, with a real OAuth server in Google's place. */
describe('with a Google account', () => {
  const google = new GoogleStandIn();
  let product: TestProduct;
  const visits = Visits.forTests(async () => {
    const base = await google.start();
    return {
      GOOGLE_CLIENT_ID: 'client',
      GOOGLE_CLIENT_SECRET: 'secret',
      GOOGLE_AUTH_URL: `${base}/authorize`,
      GOOGLE_TOKEN_URL: `${base}/token`,
      GOOGLE_USERINFO_URL: `${base}/userinfo`,
    };
  });
  beforeAll(() => void ({ product } = visits));
  afterAll(() => google.stop());

  const arrive = async (path: string): Promise<Page> => {
    const page = await visits.open();
    await page.goto(path);
    return page;
  };
  const continueWithGoogle = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Sign in' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Continue with Google' }).click();
  };
  const whoIs = (page: Page) =>
    page.evaluate(async () => (await (await fetch('/api/auth/session')).json()).user?.email ?? null);

  it('[AUTH-08] a visitor signs in and is back on the page they left', async () => {
    google.signsIn({ sub: 'g-1', email: 'ada@gmail.example', email_verified: true, name: 'Ada' });
    const page = await arrive('/search?q=velvet');
    await continueWithGoogle(page);
    await page.getByRole('button', { name: 'Sign in' }).waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Search results for "velvet"' }).waitFor();
    expect(await whoIs(page)).toBe('ada@gmail.example');
  });

  it('[AUTH-09] somebody with a password gives it once; from then on Google alone is enough', async () => {
    const { email } = await product.signedUp('grace@example.com');
    google.signsIn({ sub: 'g-2', email, email_verified: true });
    const page = await arrive('/sounds');
    await continueWithGoogle(page);
    await page.getByText('already has a password').waitFor();
    expect(await whoIs(page)).toBeNull();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.locator('form').getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${product.url}/sounds`);
    expect(await whoIs(page)).toBe(email);
    const elsewhere = await arrive('/sounds');
    await continueWithGoogle(elsewhere);
    // The address stays the same, so only the header shows the sign-in.
    await elsewhere.getByRole('button', { name: 'Sign in' }).waitFor({ state: 'detached' });
    expect(await whoIs(elsewhere)).toBe(email);
  });

  it('[AUTH-08] an address that Google has not proved signs nobody in, and the page says so', async () => {
    google.signsIn({ sub: 'g-3', email: 'unproved@gmail.example', email_verified: false });
    const page = await arrive('/sounds');
    await continueWithGoogle(page);
    await page.getByRole('alert').filter({ hasText: 'Signing in with Google failed' }).waitFor();
    expect(await whoIs(page)).toBeNull();
  });
});
