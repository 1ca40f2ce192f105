import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import type { Browser } from 'playwright-core';
import { RequestApproval } from '../../application/approvals/decide-on-request.js';
import { WRITE_OFF } from '../../application/payouts/write-off-debt.js';
import { violationNames } from '../support/accessibility.js';
import { DESKTOP, openPage, PHONE, startBrowser } from '../support/browser.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { grantRoles } from '../support/staff.js';

/** Two administrators: one requests, the other decides. */
describe('the administration in the browser', () => {
  let product: TestProduct;
  let browser: Browser;
  let sam: HttpClient;

  const keyed = () => ({ headers: { 'idempotency-key': randomUUID() } });

  beforeAll(async () => {
    product = await startTestProduct({}, { web: true });
    browser = await startBrowser();
    const person = async (displayName: string, ...roles: ('admin' | 'finance')[]) => {
      const client = await product.signedUp();
      await client.patch('/api/me', { displayName });
      await grantRoles(product.resources.database, client.userId, ...roles);
      return client;
    };
    sam = await person('Sam Idowu', 'admin', 'finance');
    const marta = await person('Marta Lindqvist', 'admin');
    await person('Petra Voss', 'finance');
    const [ines, dev, lio] = [
      await person('Ines Calderon'),
      await person('Dev Raman'),
      await person('Lio Ferrant'),
    ];
    const give = (who: HttpClient, to: HttpClient, credits: number, reason: string) =>
      who.post('/api/admin/adjustments', { userId: to.userId, credits, reason }, keyed());
    await give(sam, ines, 20, 'Charged twice for one pack');
    await give(marta, lio, 120, 'A download failed for a day');
    await give(marta, dev, 80, 'Second prize of the contest');
    const ask = (who: HttpClient, to: HttpClient, role: string, reason: string) =>
      who.post(`/api/admin/staff/${to.userId}/roles/${role}`, { reason }, keyed());
    const early = await ask(marta, lio, 'admin', 'Answers reports at night');
    const no = { reason: 'Finance is enough for the audit.' };
    await sam.post(`/api/admin/approvals/${early.body.id}/decline`, no, keyed());
    await ask(sam, dev, 'finance', 'Closes the months with Petra');
    const debt = { kind: 'write-off', creatorId: lio.userId, amountMicroUsd: 64_180_000 } as const;
    await product.app.get(CommandBus, { strict: false }).execute(
      new RequestApproval({
        approvalId: randomUUID(),
        work: debt,
        by: WRITE_OFF,
        beneficiary: lio.userId,
        reason: 'Owed for 180 days, after sales that were paid out had been undone.',
      }),
    );
    const waits = await give(
      marta,
      ines,
      600,
      'Her account was closed by our mistake from 11 to 20 November, and the 600 contest credits she had won ran out meanwhile. Ticket 8812',
    );
    expect(waits.status).toBe(202);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  /** Without the content policy, so that axe can be injected. */
  const arrive = async (path: string, options = DESKTOP) => {
    const opened = await openPage(browser, product.url, { ...options, bypassCSP: true });
    const cookies = [...sam.cookies].map(([name, value]) => ({ name, value, url: product.url }));
    await opened.page.context().addCookies(cookies);
    await opened.page.goto(path);
    return opened;
  };

  it('[WEB-63, ADM-40] fits phones, tablets and desks in both themes', async () => {
    const { page, errors } = await arrive('/admin/approvals');
    for (const [width, height] of [
      [1440, 1000],
      [768, 1024],
      [390, 844],
    ] as const)
      for (const theme of ['dark', 'light'])
        for (const [path, mark] of [
          ['/admin/approvals', 'in the last 24 hours'],
          ['/admin/audit', 'none can be changed'],
          ['/admin/roles', 'Request the role'],
          ['/finance/approvals', 'All about them'],
        ] as const) {
          await page.setViewportSize({ width, height });
          await page.goto(path);
          await page.getByText(mark).first().waitFor();
          await page.getByRole('table').first().waitFor();
          await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
          const found = await violationNames(page);
          const folder = process.env.SCREENSHOTS;
          if (folder) {
            mkdirSync(folder, { recursive: true });
            const name = `${path.slice(1).replaceAll('/', '-')}-${width}-${theme}.png`;
            await page.screenshot({ path: `${folder}/${name}`, fullPage: true });
          }
          expect([path, width, theme, wide, found]).toEqual([path, width, theme, false, []]);
        }
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('[WEB-60, ADM-31] a second administrator agrees on a phone, and it is listed', async () => {
    const { page, errors } = await arrive('/admin/approvals', PHONE);
    await page.getByRole('link', { name: /Give 600 credits/ }).click();
    await page.getByRole('button', { name: 'Approve 600 credits' }).click();
    await page.getByText('Approved and done').waitFor();
    await page.goto('/admin/audit?kind=adjustment&did=approved');
    await page.getByText('Give 600 credits to Ines Calderon').waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
