import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { OwnPack } from '../../application/publishing/contract.js';
import { violationNames } from '../support/accessibility.js';
import { Visits } from '../support/shop.js';
import { wavOf } from '../support/wav.js';

const visits = Visits.forTests();
const SLOW_MS = 1_500;

/** Recordings whose order by name is neither the order of choice nor that of letters. */
const TAKES = [11, 2, 10, 9, 1, 8, 3, 7, 4, 6, 5, 12];
const folder = mkdtempSync(join(tmpdir(), 'offcut-tape-'));
const FILES = TAKES.map((n) => join(folder, `Take_${n}.wav`));
beforeAll(() =>
  TAKES.forEach((n, place) =>
    writeFileSync(FILES[place] ?? '', wavOf({ seconds: 1 + (n % 3), hertz: 100 + n * 20, rateHz: 22_050 })),
  ),
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Answers each upload after this time, later ones of a group of three first. */
const slowDown = (page: Page): Promise<unknown> => {
  let turn = 0;
  return page.route(/\/samples\?uploadId=/, async (route) => {
    turn += 1;
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS + (3 - (turn % 3)) * 150));
    await route.continue().catch(() => undefined);
  });
};

it('[UPL-790] [UPL-791] [UPL-793] [UPL-794] follows uploads over the studio, a lost connection and a reload', async () => {
  const creator = await visits.product.signedUp();
  await creator.post('/api/creator/application', {});
  const { slug } = (await creator.post('/api/creator/packs', { name: 'Tapes', genre: 'Trap', mood: 'Dark' }))
    .body as OwnPack;
  const page = await visits.open(creator);
  await slowDown(page);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  const tape = page.getByRole('region', { name: 'Uploads' });

  await page.goto(`/creator-pack/${slug}`);
  await page.getByLabel('Audio files').setInputFiles(FILES);
  await tape.getByText(/^[1-3] of 12$/).waitFor();
  await page.getByRole('link', { name: 'Creator Dashboard' }).first().click();
  await page.waitForURL('**/dashboard');
  await tape.getByText(/^[3-9] of 12$/).waitFor();
  expect(await violationNames(page)).toEqual([]);

  await page.context().setOffline(true);
  await tape.getByRole('status').filter({ hasText: 'Connection lost.' }).waitFor();
  expect(await tape.getByText(/failed/).count()).toBe(0);
  await page.context().setOffline(false);
  await tape.getByText(/ left at |Checking|Measuring/).waitFor();

  await page.reload();
  expect(asked).toEqual(['beforeunload']);
  await tape.getByText('when you left the page').waitFor();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    tape.getByRole('button', { name: 'Choose them again' }).click(),
  ]);
  await chooser.setFiles(FILES);
  await tape.getByRole('status').filter({ hasText: 'Uploading.' }).waitFor();
  await tape.getByText(/^[0-9]+ ready, 0 on the way$/).waitFor();
  // The files that arrived before the reload are duplicates, and have one answer.
  await tape.getByRole('button', { name: 'Dismiss duplicates' }).click();
  await tape.getByRole('status').filter({ hasText: 'All files are uploaded.' }).waitFor();
  await tape.waitFor({ state: 'detached' });
  const names = async () =>
    ((await creator.get(`/api/creator/packs/${slug}`)).body as OwnPack).samples.map(({ name }) => name);
  const sorted = TAKES.toSorted((a, b) => a - b).map((n) => `Take ${n}`);
  for (let tries = 0; tries < 50 && (await names()).join() !== sorted.join(); tries += 1)
    await page.waitForTimeout(100);
  expect(await names()).toEqual(sorted);
});
