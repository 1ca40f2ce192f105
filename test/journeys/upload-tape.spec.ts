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
const LATER_MS = 150;

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

/** Holds uploads back until they are let through, later ones of a group of three first. */
async function holdBack(page: Page): Promise<(count: number) => void> {
  const waiting: (() => void)[] = [];
  let open = 0;
  let turn = 0;
  const flow = (): void => {
    for (; open > 0 && waiting.length > 0; open -= 1) waiting.shift()?.();
  };
  await page.route(/\/samples\?uploadId=/, async (route) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      flow();
    });
    turn += 1;
    await new Promise((resolve) => setTimeout(resolve, (3 - (turn % 3)) * LATER_MS));
    await route.continue().catch(() => undefined);
  });
  return (count) => {
    open += count;
    flow();
  };
}

it('[UPL-790] [UPL-791] [UPL-793] [UPL-794] follows uploads over the studio, a lost connection and a reload', async () => {
  const creator = await visits.product.signedUp();
  await creator.post('/api/creator/application', {});
  const { slug } = (await creator.post('/api/creator/packs', { name: 'Tapes', genre: 'Trap', mood: 'Dark' }))
    .body as OwnPack;
  const page = await visits.open(creator);
  const letThrough = await holdBack(page);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  const tape = page.getByRole('region', { name: 'Uploads' });

  await page.goto(`/creator-pack/${slug}`);
  await page.getByLabel('Audio files').setInputFiles(FILES);
  letThrough(1);
  await tape.getByText('1 of 12', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Creator Dashboard' }).first().click();
  await page.waitForURL('**/dashboard');
  letThrough(3);
  await tape.getByText('4 of 12', { exact: true }).waitFor();
  expect(await violationNames(page)).toEqual([]);

  await page.context().setOffline(true);
  await tape.getByRole('status').filter({ hasText: 'Connection lost.' }).waitFor();
  letThrough(3);
  expect(await tape.getByText(/failed/).count()).toBe(0);
  await page.context().setOffline(false);
  letThrough(2);
  await tape.getByText(/ left at |Checking|Measuring/).waitFor();

  await page.reload();
  expect(asked).toEqual(['beforeunload']);
  await tape.getByText('when you left the page').waitFor();
  letThrough(Infinity);
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
  for (let tries = 0; tries < 300 && (await names()).join() !== sorted.join(); tries += 1)
    await page.waitForTimeout(100);
  expect(await names()).toEqual(sorted);
});
