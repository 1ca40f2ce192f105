import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { paidInvoice } from '../support/books.js';
import { DESKTOP, PHONE, openPage, startBrowser } from '../support/browser.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { purchaseOf, stock } from '../support/stock.js';

/** A controller asks why a balance is what it is. */
describe('the books in the browser', () => {
  let product: TestProduct;
  let browser: Browser;
  let junie: HttpClient;
  let petra: HttpClient;

  beforeAll(async () => {
    product = await startTestProduct({}, { web: true });
    browser = await startBrowser();
    const { database, creditDesk } = product.resources;
    const ada = await product.signedUp();
    [junie, petra] = [await product.signedUp(), await product.signedUp()];
    await database.pool.query(`update user_account set roles = '{finance}' where user_id = $1`, [
      petra.userId,
    ]);
    const samples = await stock(database, 9, { creatorId: junie.userId });
    await creditDesk.grantInvoice(paidInvoice(ada.userId, { taxMicroUsd: 830_000 }), { correlationId: 'c' });
    for (const sample of samples) await creditDesk.buy(purchaseOf(ada.userId, [sample]));
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  /** Without the content policy, so that the checker of accessibility can be put in. */
  const arrive = async (path: string, options = DESKTOP) => {
    const opened = await openPage(browser, product.url, { ...options, bypassCSP: true });
    opened.page.setDefaultTimeout(20_000);
    const cookies = [...petra.cookies].map(([name, value]) => ({ name, value, url: product.url }));
    await opened.page.context().addCookies(cookies);
    await opened.page.goto(path);
    return opened;
  };
  const violations = async (page: Page) => {
    await page.addScriptTag({ content: axe.source });
    return page.evaluate(async () => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run();
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120)}`);
    });
  };

  it('[FIN-15] lead from a total to the event behind a line in four clicks', async () => {
    const { page, errors } = await arrive('/finance');
    await page.getByText('Balanced').waitFor();
    await page
      .getByText('22 of 22')
      .or(page.getByText(/\d+ of 22/))
      .waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'creator:*' }).click();
    await page.getByRole('link', { name: `creator:${junie.userId}` }).click();
    await page.getByRole('button', { name: 'SamplePurchased' }).first().click();
    const text = await page.getByLabel(/^Event \d+$/).textContent();
    expect(JSON.parse(text ?? '')).toMatchObject({
      type: 'SamplePurchased',
      data: { creatorId: junie.userId },
    });
    expect(await violations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await page.context().close();
  }, 90_000);

  it('[FIN-20, FIN-30] exports the journal, browses events, and fits a phone', async () => {
    const { page, errors } = await arrive('/finance', PHONE);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('journal.csv');
    for (const name of ['Reconciliation', 'Events']) {
      await page.getByRole('navigation', { name: 'Finance' }).getByRole('link', { name }).click();
      await page.getByRole('table').first().waitFor();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect([name, wide]).toEqual([name, false]);
      expect(await violations(page)).toEqual([]);
    }
    expect(errors).toEqual([]);
    await page.context().close();
  }, 90_000);
});
