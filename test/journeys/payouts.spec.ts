import { beforeAll, expect, it } from '@jest/globals';
import type { TestProduct } from '../support/product.js';
import { sellTo } from '../support/sales.js';
import { Visits } from '../support/shop.js';
import { onboard } from '../support/stripe.js';

let product: TestProduct;
const visits = Visits.forTests();

beforeAll(() => void ({ product } = visits));

it('[PAY-01, PAY-02, PAY-03, PAY-04, PAY-05] a creator connects, is verified, and withdraws what is past its hold', async () => {
  const creator = await product.signedUp();
  await creator.post('/api/creator/application');
  for (const _ of [1, 2]) await sellTo(product, creator);
  const page = await visits.open(creator);

  await page.goto('/dashboard');
  const card = page.getByRole('region', { name: 'Payouts' });
  await card.getByText('On hold, released by').waitFor();
  expect(await card.textContent()).toContain('$23.98');
  await card.getByLabel('Country of your home and bank').selectOption('US');
  await card.getByRole('button', { name: 'Connect with Stripe' }).click();
  await page.getByRole('button', { name: 'Leave incomplete' }).click();
  await page.getByText('Please complete your Stripe account setup to start receiving payments.').waitFor();
  await page.getByRole('button', { name: 'OK' }).click();
  const waiting = card.getByRole('button', { name: 'Withdraw (Verification Required)' });
  expect(await waiting.isDisabled()).toBe(true);

  await card.getByRole('button', { name: 'Finish the setup with Stripe' }).click();
  await page.getByRole('button', { name: 'Complete', exact: true }).click();
  await page.waitForURL('**/dashboard?stripe_onboarding=success');
  await page.waitForURL((url) => url.search === '');
  await card.getByText('Stripe connected').waitFor();

  await product.resources.stripeSimulator?.advance(15);
  await page.reload();
  await card.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText('Withdraw $23.98?').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
  await card.getByRole('link', { name: /^Statement of/ }).waitFor();
  await card.getByText('paid', { exact: true }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('link', { name: /^Statement of/ }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
});

it('[PAY-03, PAY-07, PAY-09] the Sales page follows a withdrawal to its end, and opens its statement', async () => {
  const creator = await product.signedUp();
  await creator.post('/api/creator/application');
  await sellTo(product, creator);
  const { body } = await creator.post('/api/stripe/connect/create-account', { country: 'US' });
  await onboard(body.url, 'completed');
  await product.resources.stripeSimulator?.advance(15);

  const page = await visits.open(creator);
  await page.goto('/earnings');
  const earnings = page.getByRole('region', { name: 'Earnings' });
  await earnings.getByRole('button', { name: 'Monthly' }).click();
  await earnings.getByText('Next payout on 1 ').waitFor();
  await earnings.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText('Withdraw $11.99?').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
  // Without a reload: the page refreshes by itself while the money is in transit.
  await earnings.getByText('Paid out').locator('..').getByText('$11.99').waitFor();
  const statements = page.getByRole('region', { name: 'Withdrawals', exact: true });
  await statements.getByText('paid', { exact: true }).waitFor();
  await statements.getByRole('button', { expanded: false }).click();
  const sum = statements.getByRole('row', { name: /^Sum/ });
  await sum.waitFor();
  expect(await sum.textContent()).toContain('$11.99');
  expect(
    await statements
      .getByRole('table', { name: /^Lines/ })
      .getByRole('row')
      .count(),
  ).toBe(5);
});
