import { beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresBookQueries } from '../../adapters/ledger/postgres-books.js';
import { Clock } from '../../application/shared/clock.js';
import { boundsOf, periodDecider } from '../../domain/ledger/period.js';
import { violationNames } from '../support/accessibility.js';
import { paidInvoice } from '../support/books.js';
import { DESKTOP, PHONE } from '../support/browser.js';
import type { HttpClient } from '../support/http-client.js';
import { breaksBooks } from '../support/invariants.js';
import type { TestProduct } from '../support/product.js';
import { Visits } from '../support/shop.js';
import { executorOn, purchaseOf, stock } from '../support/stock.js';
import { press } from '../support/stripe.js';
import { grantRoles } from '../support/staff.js';

/** A clock in the middle of last month. */
class LastMonth extends Clock {
  override now(): Date {
    const at = new Date();
    at.setUTCDate(0);
    at.setUTCDate(15);
    return at;
  }
}
const lastMonth = new LastMonth().now();
const TABLET = { ...DESKTOP, viewport: { width: 768, height: 1024 } };
const monthName = new Intl.DateTimeFormat('en-GB', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
}).format(lastMonth);

/** A finance user traces the reasons for the balances. */
describe('the books in the browser', () => {
  let product: TestProduct;
  const visits = Visits.forTests();
  let ada: HttpClient;
  let junie: HttpClient;
  let petra: HttpClient;

  beforeAll(async () => {
    ({ product } = visits);
    const { database, creditExecutor } = product.resources;
    breaksBooks(database, 'last month is made without a provider', [10, 14]);
    [ada, junie, petra] = [await product.signedUp(), await product.signedUp(), await product.signedUp()];
    await grantRoles(database, petra.userId, 'finance');
    const samples = await stock(database, 9, { creatorId: junie.userId });
    // Stripe's simulator does not know last month's payments.
    const { executor } = executorOn(database, undefined, new LastMonth());
    const invoice = paidInvoice(ada.userId, { taxMicroUsd: 830_000, paidAt: lastMonth });
    await executor.grantInvoice(invoice, { correlationId: 'c' });
    for (const sample of samples.slice(0, 4)) await executor.buy(purchaseOf(ada.userId, [sample]));
    const { body } = await ada.post('/api/stripe/create-checkout-session', { plan: 'studio' });
    await press(body.url, { outcome: 'paid' });
    for (const sample of samples.slice(4)) await creditExecutor.buy(purchaseOf(ada.userId, [sample]));
  });

  /** Pays out last month's sales, which are past their hold. */
  const payJunie = async (): Promise<string> => {
    const { eventStore } = product.resources;
    const [creatorId, withdrawalId] = [junie.userId, 'payout-of-junie'];
    const moved = { creatorId, withdrawalId, amountMicroUsd: 430_000, at: new Date().toISOString() };
    const asked = {
      accountId: 'acct_junie',
      amountUsdCents: 43,
      transferGroup: 'withdrawal_payout-of-junie',
      spans: [{ fromMicroUsd: 0, toMicroUsd: 430_000 }],
      deductedMicroUsd: 0,
    };
    await eventStore.append(
      [
        {
          stream: `payouts-${creatorId}`,
          expectedVersion: 0,
          events: [
            { type: 'WithdrawalRequested', data: { ...moved, ...asked } },
            { type: 'TransferCreated', data: { ...moved, transferId: 'tr_junie' } },
          ],
        },
      ],
      { actor: creatorId, correlationId: withdrawalId },
    );
    return withdrawalId;
  };
  const arrive = async (path: string, options = DESKTOP) => {
    const page = await visits.open(petra, options);
    await page.goto(path);
    return page;
  };
  /** Records a closed month as if every rule held. */
  const closeLastMonth = async () => {
    const { eventStore, database } = product.resources;
    const month = lastMonth.toISOString().slice(0, 7);
    const books = new PostgresBookQueries(database);
    const figures = await books.atEndOf(boundsOf(month).to);
    const data = { month, by: petra.userId, at: new Date().toISOString(), ...figures };
    await eventStore.append(
      [
        {
          stream: periodDecider.streamOf(month),
          expectedVersion: 0,
          events: [{ type: 'PeriodClosed', data }],
        },
      ],
      { actor: petra.userId, correlationId: month },
    );
  };
  it('[FIN-15] lead from a total on the overview to the event behind a line in three clicks', async () => {
    const page = await arrive('/finance');
    await page.getByText(/\d+ of 25/).waitFor();
    await page.getByRole('slider', { name: 'Cash, deferred and creators' }).waitFor();
    expect(await violationNames(page)).toEqual([]);
    await page.getByRole('link', { name: 'Owed to creators' }).click();
    await page.getByTitle(`creator:${junie.userId}`).first().click();
    await page.getByRole('button', { name: 'Sample bought' }).first().click();
    const text = await page.getByLabel(/^Event \d+$/).textContent();
    expect(JSON.parse(text ?? '')).toMatchObject({
      type: 'SamplePurchased',
      data: { creatorId: junie.userId },
    });
    expect(await violationNames(page)).toEqual([]);
    await page.context().close();
  });

  it('[FIN-16, FIN-30] rolls the credits of a user forward by month, and proves the balance event by event', async () => {
    const page = await arrive('/finance/roll-forward');
    await page.getByText('Every month ties').waitFor();
    const { email } = (await ada.get('/api/auth/session')).body.user;
    await page.getByLabel('E-mail, name or user id').fill(email);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('link', { name: monthName }).waitFor();
    const { balance } = (await ada.get('/api/credits')).body;
    const whole = page.getByRole('table', { name: 'By month' }).getByRole('row', { name: /^Total/ });
    expect(await whole.getByRole('cell').last().textContent()).toBe(String(balance));
    expect(await violationNames(page)).toEqual([]);
    await page.getByRole('link', { name: 'Prove this balance' }).click();
    await page.getByText('Holds', { exact: true }).waitFor();
    const events = page.getByRole('table', { name: 'Every event that changed it' });
    const last = events.getByRole('row').last();
    expect(await last.getByRole('cell').last().textContent()).toBe(String(balance));
    await last.getByRole('button', { name: 'Credits spent' }).click();
    await page.getByLabel(/^Event \d+$/).waitFor();
    expect(await violationNames(page)).toEqual([]);
    await page.context().close();
  });

  it("[FIN-17] ties Stripe's report out, and lists what is on one side only", async () => {
    const simulator = product.resources.stripeSimulator?.url as string;
    await fetch(`${simulator}/_test/top-up`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ amountUsdCents: 1_234 }),
    });
    const report = await (await fetch(`${simulator}/_test/balance-report`, { method: 'POST' })).text();
    const page = await arrive('/finance/stripe');
    const choose = async (name: string, text: string) =>
      page
        .getByLabel("Stripe's balance report")
        .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    await choose('wrong.csv', 'a,b\n1,2\n');
    await page.getByRole('alert').getByText('There is no column balance_transaction_id.').waitFor();
    await choose('november.csv', report);
    await page.getByText('november.csv, compared').waitFor();
    const count = (name: string) => page.getByRole('table', { name }).locator('tbody tr').count();
    expect(await count('Matched')).toBe(1);
    expect(await count('Only at Stripe')).toBe(1);
    expect(await page.getByRole('table', { name: 'Only at Stripe' }).textContent()).toContain('topup');
    expect(await violationNames(page)).toEqual([]);
    // Following the link to the event and going back keeps the comparison.
    await page.getByRole('table', { name: 'Matched' }).locator('tbody').getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Explain this cent' }).waitFor();
    await page.getByRole('button', { name: 'Movement at Stripe', exact: true }).waitFor();
    await page.goBack();
    await page.getByText('november.csv, compared').waitFor();
    await page.context().close();
  });

  it('[FIN-21, FIN-37] says why a month stays open, and shows what came late to one that is closed', async () => {
    const page = await arrive('/finance/periods');
    await page.getByRole('button', { name: `Close ${monthName}` }).click();
    const dialog = page.getByRole('dialog');
    // The provider does not know that month's payments, and the shop was stocked by hand.
    await dialog.getByText('rules of the books do not hold: 10', { exact: false }).waitFor();
    expect(await dialog.getByRole('button', { name: `Close ${monthName}` }).isDisabled()).toBe(true);
    expect(await violationNames(page)).toEqual([]);
    await dialog.getByRole('link', { name: 'Go there' }).first().click();
    await page.getByRole('heading', { name: 'Reconciliation' }).waitFor();
    await page.goBack();
    await closeLastMonth();
    await page.reload();
    const row = page.getByRole('table', { name: 'Months' }).getByRole('row', { name: new RegExp(monthName) });
    await row.getByText('Closed').waitFor();
    await row.getByRole('button', { name: /^Copy hash/ }).waitFor();
    const late = paidInvoice(ada.userId, { paidAt: lastMonth });
    await product.resources.creditExecutor.grantInvoice(late, { correlationId: 'late' });
    await page.reload();
    await page.getByRole('table', { name: 'Late facts' }).getByText(late.invoiceId).waitFor();
    expect(await violationNames(page)).toEqual([]);
    await page.context().close();
  });

  it('[PAY-07] shows what a creator is owed by state', async () => {
    const page = await arrive('/finance/creators');
    await page.getByRole('table', { name: 'Accounts of creators' }).getByRole('link').first().click();
    await page.getByText('Nothing was withdrawn yet.').waitFor();
    expect(await page.getByRole('region', { name: 'By state' }).textContent()).toContain('In hold');
    expect(await violationNames(page)).toEqual([]);
    await page.context().close();
  });

  it('[FIN-20] exports the journal', async () => {
    const page = await arrive('/finance/trial-balance', PHONE);
    await page.getByRole('button', { name: 'The journal as CSV' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Download journal\.csv/ }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('journal.csv');
    await page.context().close();
  });

  it.each(['dark', 'light'])('[FIN-30] browses every page, and fits a phone, %s', async (theme) => {
    const page = await arrive('/finance/trial-balance', PHONE);
    for (const [path, mark] of [
      ['/finance', 'Newest events'],
      ['/finance/trial-balance', 'Balanced'],
      ['/finance/roll-forward', 'Every month ties'],
      ['/finance/creators', 'Accounts of creators'],
      [`/finance/creators/${junie.userId}`, 'Nothing was withdrawn yet.'],
      ['/finance/stripe', 'Compare a report'],
      ['/finance/suspense', 'Nothing is in suspense'],
      ['/finance/tax', 'Unknown place'],
      ['/finance/periods', 'No late facts.'],
      ['/finance/reports', 'Every month ties'],
      [`/finance/proof/${ada.userId}`, 'Lots with credits left'],
      ['/finance/reconciliation', 'Always true'],
      ['/finance/statement', 'Balance sheet'],
      ['/finance/vat', 'One-Stop Shop'],
      ['/finance/events', 'Newest first'],
    ] as const) {
      await page.goto(path);
      await page
        .getByText(mark)
        .or(page.getByRole('table', { name: 'Late facts' }))
        .first()
        .waitFor();
      await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect([path, wide, await violationNames(page)]).toEqual([path, false, []]);
    }
    await page.context().close();
  });

  it('[FIN-75, FIN-76] lead from the overview to a line of a payout and its invoice in three clicks, nothing copied', async () => {
    const withdrawalId = await payJunie();
    const page = await arrive('/finance');
    await page.getByRole('link', { name: 'Creators', exact: true }).click();
    await page.getByRole('table', { name: 'Accounts of creators' }).getByRole('link').first().click();
    await page.getByRole('link', { name: 'Explain line 4' }).click();
    const cards = page.getByRole('list', { name: 'The way of the money' });
    for (const title of ['Payout line', 'Sale', 'Segment', 'Lot', 'Invoice'])
      await cards.getByRole('button', { name: title, exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/finance/trace/${withdrawalId}`);
    await page.getByText('Line 4 of 4').waitFor();
    // The last sale is paid in whole cents, and the rest stays.
    expect(await cards.textContent()).toContain('0.439680 − 0.009680 kept');
    await page.getByText('Balanced').waitFor();
    await cards.getByRole('button', { name: 'Payout line' }).focus();
    for (const _ of ['Sale', 'Segment', 'Lot', 'Invoice']) await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'Postings of the invoice' }).waitFor();
    expect(await violationNames(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('table', { name: 'What came of it' }).waitFor();
    expect(await page.getByText('Hash verified').count()).toBe(1);
    await page.getByRole('combobox', { name: 'Find by id, name, e-mail or amount' }).fill(withdrawalId);
    await page.getByRole('option').first().click();
    await page.getByText('Line 1 of 4').waitFor();
    await page.context().close();
    const folder = process.env.SCREENSHOTS;
    for (const options of [DESKTOP, TABLET, PHONE]) {
      const shown = await arrive(`/finance/trace/${withdrawalId}?line=4`, options);
      for (const theme of ['dark', 'light']) {
        await shown.getByText('Balanced').waitFor();
        await shown.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
        const { width } = options.viewport ?? {};
        const wide = await shown.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
        expect([theme, width, wide, await violationNames(shown)]).toEqual([theme, width, false, []]);
        if (folder) await shown.screenshot({ path: `${folder}/trace-${theme}-${width}.png`, fullPage: true });
      }
      await shown.context().close();
    }
  });
});
