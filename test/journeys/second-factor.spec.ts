import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { codeAt } from '../../application/accounts/factors/one-time-codes.js';
import { PASSWORD, Visits } from '../support/shop.js';
import { grantRoles } from '../support/staff.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns a code of the authenticator app. `ahead` steps avoid using a code twice. */
function codeOf(secret: string, ahead = 0): string {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return codeAt(Buffer.from(bytes), Math.floor(Date.now() / 30_000) + ahead);
}

/**
 * Adds a virtual authenticator.
 * @returns sets whether the user is present and accepts every request at once
 */
async function withAuthenticator(page: Page): Promise<(isThere: boolean) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return async (enabled) => {
    await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  };
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/auth');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).last().click();
}

describe('a second factor', () => {
  const visits = Visits.forTests(async () => ({ STAFF_SECOND_FACTOR: 'required' }));

  it('[SIGN-11, SIGN-12, SIGN-13, SIGN-50] staff set up a passkey, an app and codes, and sign in with each of them', async () => {
    const admin = await visits.product.signedUp();
    await grantRoles(visits.product.resources.database, admin.userId, 'admin');
    const page = await visits.open(admin);
    const owner = await withAuthenticator(page);

    await page.goto('/admin');
    await page.getByText('Second Factor Needed').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(/settings\?tab=security/);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: /^Rename/ }).waitFor();

    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: /QR code/ }).waitFor();
    const secret = (await dialog.locator('.mono').innerText()).replaceAll(/\s/g, '');
    await dialog.getByLabel('Code', { exact: true }).fill(codeOf(secret));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Make codes' }).click();
    const made = page.getByRole('alertdialog');
    await made.waitFor();
    const codes = await made.getByRole('listitem').allInnerTexts();
    expect(codes).toHaveLength(10);
    await page.getByRole('button', { name: 'I kept them' }).click();
    await page.getByText('10 left').waitFor();
    await page.goto('/admin');
    await page.getByRole('heading', { name: 'Second Factor Needed' }).waitFor({ state: 'detached' });

    const leave = async () => {
      await page.evaluate(() =>
        fetch('/api/auth/sign-out', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        }),
      );
      await signIn(page, admin.email);
    };
    const arrived = () => page.waitForURL((url) => url.pathname !== '/auth');
    await owner(false);
    await leave();
    const secondStep = page.getByRole('button', { name: 'Use your passkey' });
    await secondStep.waitFor();
    await owner(true);
    await secondStep.click();
    await arrived();

    // The browser's own list of passkeys is still loading when the button is pressed.
    await page.context().clearCookies();
    let list: (() => Promise<void>) | undefined;
    await page.route('**/api/auth/passkey/options', (route) => void (list = () => route.continue()), {
      times: 1,
    });
    const asked = page.waitForRequest('**/api/auth/passkey/options');
    await page.goto('/auth');
    await asked;
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await arrived();
    await list?.().catch(() => undefined);

    // The browser lists the passkey beside the address field, and the user picks it there.
    await page.context().clearCookies();
    await page.goto('/auth');
    await arrived();

    await owner(false);
    await leave();
    await page.getByLabel('Code', { exact: true }).fill('000000');
    await page.getByRole('button', { name: 'Sign in', exact: true }).last().click();
    await page.getByText('The second factor was not accepted').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, 1));
    await page.getByRole('button', { name: 'Sign in', exact: true }).last().click();
    await arrived();

    await leave();
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Sign in', exact: true }).last().click();
    await arrived();
  });
});
