import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { rustle, wavFile } from '../audio/synthesis.js';
import { violationNames } from '../support/accessibility.js';
import { DESKTOP, openPage, startBrowser } from '../support/browser.js';
import type { HttpClient } from '../support/http-client.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { draftPack, upload } from '../support/publishing.js';
import { grantRoles } from '../support/staff.js';

/** Teo publishes, Lio uploads quieter and shorter copies of it, and Ines decides. */
describe('suspected copies in the browser', () => {
  let product: TestProduct;
  let browser: Browser;
  let ines: HttpClient;
  let lio: HttpClient;
  const copies: { packId: string; sampleId: string; title: string }[] = [];

  const addTo = async (client: HttpClient, packId: string, sound: Float32Array, name: string) => {
    const path = `/api/creator/packs/${packId}/samples`;
    const added = await upload(client, path, { bytes: wavFile([sound]) }, { meta: { name } });
    return added.body.sample.id as string;
  };
  const publish = (client: HttpClient, packId: string) => client.post(`/api/creator/packs/${packId}/publish`);

  beforeAll(async () => {
    product = await startTestProduct(
      { WORK_KINDS: 'mail,sound', COPY_CHECK_WAIT_MS: '20000' },
      { web: true },
    );
    browser = await startBrowser();
    const person = async (displayName: string) => {
      const client = await product.signedUp();
      await client.patch('/api/me', { displayName });
      return client;
    };
    ines = await person('Ines Calderon');
    await grantRoles(product.resources.database, ines.userId, 'admin');
    const teo = await person('Teo Marchetti');
    lio = await person('Lio Ferrant');
    for (const creator of [teo, lio]) await creator.becomeCreator();
    for (const [number, title] of ['Spare keys', 'Dock door', 'Harbour hum'].entries()) {
      const sound = rustle(4, 900 + number);
      const original = await draftPack(teo);
      await addTo(teo, original.id, sound, title);
      expect((await publish(teo, original.id)).status).toBe(200);
      const { id: packId } = await draftPack(lio);
      const copy = sound.slice(6_000, sound.length - 5_000).map((value) => value * 0.4);
      const sampleId = await addTo(lio, packId, copy, `${title} 2`);
      await addTo(lio, packId, rustle(4, 990 + number), `Own ${number}`);
      // The pack is published without the held sample.
      expect((await publish(lio, packId)).status).toBe(200);
      copies.push({ packId, sampleId, title: `${title} 2` });
    }
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  const arrive = async (who: HttpClient, path: string) => {
    const opened = await openPage(browser, product.url, { ...DESKTOP, bypassCSP: true });
    const cookies = [...who.cookies].map(([name, value]) => ({ name, value, url: product.url }));
    await opened.page.context().addCookies(cookies);
    await opened.page.goto(path);
    return opened;
  };
  const statusOf = async (copy: { sampleId: string }) =>
    (await product.browser().get(`/api/samples/${copy.sampleId}`)).status;

  it('[WEB-69] fit phones, tablets and desks in both themes, for administrators and both creators', async () => {
    expect(await Promise.all(copies.map(statusOf))).toEqual([404, 404, 404]);
    const { page, errors } = await arrive(ines, '/admin/copies');
    for (const [width, height] of [
      [1440, 1000],
      [768, 1024],
      [390, 844],
    ] as const)
      for (const theme of ['dark', 'light']) {
        await page.setViewportSize({ width, height });
        await page.goto('/admin/copies');
        await page.getByText('fingerprints agree').waitFor();
        await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
        const found = await violationNames(page);
        const folder = process.env.SCREENSHOTS;
        if (folder) {
          mkdirSync(folder, { recursive: true });
          await page.screenshot({ path: `${folder}/copies-${width}-${theme}.png`, fullPage: true });
        }
        expect([width, theme, wide, found]).toEqual([width, theme, false, []]);
      }
    expect(errors).toEqual([]);
    await page.context().close();
    const dashboard = await arrive(lio, '/dashboard');
    await dashboard.page.getByRole('button', { name: 'Say why it is yours' }).first().click();
    await dashboard.page.getByText('I have a licence').first().waitFor();
    expect(await violationNames(dashboard.page)).toEqual([]);
    await dashboard.page.context().close();
  });

  it('[WEB-65, WEB-66, COPY-35] are heard and decided each way, one after the other', async () => {
    const { page, errors } = await arrive(ines, `/admin/copies?copy=${copies[0]?.sampleId}-1`);
    await page.getByRole('heading', { name: 'Spare keys 2' }).waitFor();
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Both', pressed: true }).waitFor();
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Both', pressed: false }).waitFor();
    await page.getByRole('button', { name: 'Allow “Spare keys 2”' }).click();
    await page.getByText('Allowed: Spare keys 2').waitFor();
    await page.goto(`/admin/copies?copy=${copies[1]?.sampleId}-1`);
    await page.getByRole('radio', { name: /Refuse/ }).check();
    await page.getByRole('textbox', { name: 'Reason' }).fill('It is Dock door with both ends cut off.');
    await page.getByRole('button', { name: 'Refuse “Dock door 2”' }).click();
    await page.getByText('Refused: Dock door 2').waitFor();
    await page.goto(`/admin/copies?copy=${copies[2]?.sampleId}-1`);
    await page.getByRole('radio', { name: /Take down/ }).check();
    await page.getByRole('textbox', { name: 'Reason' }).fill('The third one');
    await page.getByRole('button', { name: 'Take down “Harbour hum 2”' }).click();
    await page.getByText('Taken down: Harbour hum 2').waitFor();
    await page.getByText('Nothing waits').waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
    expect(await Promise.all(copies.map(statusOf))).toEqual([200, 404, 410]);
    const editor = await arrive(lio, '/dashboard');
    await editor.page.getByText('The reason given: It is Dock door with both ends cut off.').waitFor();
    await editor.page.context().close();
  });
});
