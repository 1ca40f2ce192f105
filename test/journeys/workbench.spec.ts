import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { DESKTOP, PHONE } from '../support/browser.js';
import { GoogleStandIn } from '../support/google.js';
import { centsBetween, hertzOf, listen, record } from '../support/heard.js';
import { listenerWith, openShop, Visits } from '../support/shop.js';

/** The pitches of the sounds of `openShop`. */
const HERTZ = { low: 220, middle: 250 };

/** Every request takes 1.5 s longer. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const unlimited = { downloadThroughput: -1, uploadThroughput: -1 };
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, latency: 1_500, ...unlimited });
}

/** The page of the workbench in Chromium, with its sounds, on a slow network. */
describe('the workbench', () => {
  const google = new GoogleStandIn();
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
  let pack: string;
  beforeAll(async () => {
    const sounds = ['Low', 'Middle', 'High'].map((name) => ({ name, bpm: 120 }));
    [pack = ''] = await openShop(visits.product, [{ name: 'Tones', genre: 'Soul', mood: 'Chill', sounds }]);
  });
  afterAll(() => google.stop());

  const lane = (page: Page, name: string) =>
    page.getByRole('region', { name: 'Lanes' }).getByRole('group', { name: new RegExp(`^${name},`) });
  /** Changes a workbench, and waits until the server has the change. */
  async function kept(page: Page, change: () => Promise<void>): Promise<void> {
    const answer = page.waitForResponse((each) => each.request().method() === 'PUT');
    await change();
    expect((await answer).status()).toBe(200);
  }
  const grant = (userId: string) =>
    visits.product.resources.creditExecutor.grantPromotion(
      { userId, grantId: randomUUID(), credits: 20, grantedAt: new Date() },
      { correlationId: 'test' },
    );

  it('[WORK-783] is filled from rows, heard, swapped, saved in two tabs, shared and exported', async () => {
    const page = await visits.open(await listenerWith(visits.product, 20), { ...DESKTOP, bypassCSP: true });
    await page.addInitScript(record);
    await page.goto(pack, { waitUntil: 'networkidle' });
    await slowDown(page);
    const drawer = page.getByRole('region', { name: 'Workbench' });
    for (const name of ['Low', 'Middle']) {
      await page.locator('[data-sample]').filter({ hasText: name }).first().focus();
      await page.keyboard.press('w');
      await drawer.getByRole('group', { name: new RegExp(`^${name}`) }).waitFor();
    }
    await drawer.getByRole('link', { name: 'Open workbench' }).click();
    await lane(page, 'Middle').waitFor();
    await page.getByText(/Saved \d/).waitFor();

    await lane(page, 'Middle').getByRole('button', { name: 'Solo' }).click();
    await page.getByRole('button', { name: 'Play all lanes' }).click();
    const alone = await listen(page, 1);
    const steady = alone.sound.subarray(alone.sound.length / 2);
    expect(centsBetween(hertzOf(steady, alone.rateHz), HERTZ.middle)).toBeLessThan(10);
    await lane(page, 'Middle').getByRole('button', { name: 'Solo' }).click();
    await lane(page, 'Low').getByRole('button', { name: 'Solo' }).click();
    await listen(page, 0.5);
    const other = await listen(page, 0.5);
    expect(centsBetween(hertzOf(other.sound, other.rateHz), HERTZ.low)).toBeLessThan(10);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();

    await lane(page, 'Middle').getByRole('button', { name: /^Swap/ }).click();
    const swap = page.getByRole('dialog', { name: 'Swap' });
    await kept(page, () => swap.getByRole('button', { name: /^Swap ?High/ }).click());
    await lane(page, 'High').waitFor();

    const tab = await page.context().newPage();
    await tab.goto('/workbench');
    await kept(tab, () => lane(tab, 'High').getByRole('button', { name: 'Mute' }).click());
    await lane(page, 'Low').getByRole('button', { name: 'Mute' }).click();
    await page.getByText('This workbench was changed elsewhere.').waitFor();
    await page.getByRole('button', { name: 'Load the other version' }).click();
    await lane(page, 'High').locator('[aria-label=Mute][aria-pressed=true]').waitFor();
    await lane(page, 'Low').locator('[aria-label=Mute][aria-pressed=false]').waitFor();
    await tab.close();

    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const sharing = page.getByRole('dialog', { name: 'Share' });
    await sharing.getByRole('button', { name: 'Create a link' }).click();
    const link = await sharing.getByLabel('Link for listeners').inputValue();
    expect(await sharing.getByLabel('Embed code').inputValue()).toContain('/embed/workbench/');
    await page.keyboard.press('Escape');
    const visitor = await visits.open();
    await visitor.goto(link);
    await lane(visitor, 'Low').waitFor();
    await visitor.getByText('shared with you').waitFor();

    const card = page.getByRole('complementary', { name: 'Take it home' });
    await card.getByRole('radio', { name: /DAWproject/ }).check();
    await card.getByRole('button', { name: 'Buy 2 and export' }).click();
    const confirmation = page.getByRole('alertdialog', { name: 'Confirm Download' });
    await confirmation.getByText('You get one .dawproject file.').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      confirmation.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('My workbench.dawproject');
    await card.getByRole('button', { name: 'Export', exact: true }).waitFor();
  });

  /** Returns a link to a workbench with two sounds. */
  async function sharedBench(): Promise<string> {
    const owner = await visits.product.signedUp();
    const [, , slug, handle] = pack.split('/');
    const { samples } = (await owner.get(`/api/packs/${handle}/${slug}`)).body as {
      samples: { id: string }[];
    };
    const content = {
      name: 'Last bus',
      tempo: 120,
      lanes: samples.slice(0, 2).map(({ id }) => ({ sampleId: id })),
    };
    const { id } = (await owner.post('/api/workbenches', content)).body;
    return (await owner.post(`/api/workbenches/${id}/share`)).body.url as string;
  }

  it('[WORK-782] a visitor who signs in on another site returns to the same export', async () => {
    google.signsIn({ sub: 'g-1', email: 'ada@gmail.example', email_verified: true, name: 'Ada' });
    const first = await visits.open();
    await first.goto('/sounds');
    await first.getByRole('button', { name: 'Sign in' }).first().click();
    await first.getByRole('dialog').getByRole('button', { name: 'Continue with Google' }).click();
    await first.getByRole('button', { name: 'Sign in' }).waitFor({ state: 'detached' });
    await grant(
      await first.evaluate(async () => (await (await fetch('/api/auth/session')).json()).user.id as string),
    );

    const page = await visits.open();
    await page.goto(await sharedBench());
    const card = page.getByRole('complementary', { name: 'Take it home' });
    await card.getByRole('radio', { name: /REAPER/ }).check();
    await card.getByLabel('Tagged copies beside the originals').uncheck();
    await card.getByRole('button', { name: 'Buy 2 and export' }).click();
    const notice = page.getByRole('button', { name: 'Sign in' }).last();
    await page.getByText('Please sign in to download tracks.').waitFor();
    await notice.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Continue with Google' }).click();
    const confirmation = page.getByRole('alertdialog', { name: 'Confirm Download' });
    await confirmation.getByText('You get one ZIP with a REAPER project.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/workbench');
    const exported = page.waitForRequest(/\/api\/workbenches\/[^/]+\/export/);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      confirmation.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('Last bus.zip');
    expect(new URL((await exported).url()).search).toBe('?format=rpp&tagged=false');
    await page.getByText('only you can see it').waitFor();
  });

  it('[WORK-780, WORK-781] a phone reaches every command, and a finger drags the end of a loop', async () => {
    const page = await visits.open(undefined, PHONE);
    await page.goto(await sharedBench());
    await lane(page, 'Low').waitFor();
    const choose = async (command: string) => {
      await page.getByRole('button', { name: 'More', exact: true }).tap();
      await page.getByRole('menuitem', { name: command }).tap();
    };
    const stepper = lane(page, 'Low').getByRole('spinbutton', { name: 'Loop length' });
    const loopIs = async (beats: string) =>
      page.waitForFunction(([input, wanted]) => (input as HTMLInputElement).value === wanted, [
        await stepper.elementHandle(),
        beats,
      ] as const);
    await lane(page, 'Low').locator('.lane-title').tap();
    await loopIs('8');
    const edge = lane(page, 'Low').locator('.strip:not([data-loading]) .strip-edge');
    const { x = 0, y = 0, width = 0 } = (await edge.boundingBox()) ?? {};
    const { width: song = 0 } = (await lane(page, 'Low').locator('.strip').boundingBox()) ?? {};
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', beats = 0) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: x + width / 2 + (beats * song) / 32, y: y + 10 }],
      });
    await touch('touchStart');
    await touch('touchMove', -2);
    await touch('touchMove', -4);
    await touch('touchEnd');
    await loopIs('4');
    // The open lane above must not close under the finger.
    await lane(page, 'Middle').getByRole('button', { name: 'Solo' }).tap();
    await lane(page, 'Middle').locator('[aria-label=Solo][aria-pressed=true]').waitFor();
    await choose('Undo');
    await loopIs('8');
    await choose('Redo');
    await loopIs('4');
    await choose('Repeat four bars');
    await page.locator('.ruler-range').waitFor();
    await choose('Play all bars');
    await choose('Play originals');
    await page.getByRole('button', { name: 'More', exact: true }).tap();
    await page.getByRole('menuitem', { name: 'Play in tempo and key' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });

  it('[WORK-781] a mouse drags the end of a loop by beats', async () => {
    const page = await visits.open();
    await page.goto(await sharedBench());
    const strip = lane(page, 'Low').locator('.strip:not([data-loading])');
    const edge = strip.locator('.strip-edge');
    // The page still moves while the sounds are loaded; `hover` waits until the edge rests.
    await edge.hover();
    const { x = 0, y = 0, width = 0 } = (await edge.boundingBox()) ?? {};
    const { width: song = 0 } = (await strip.boundingBox()) ?? {};
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + song / 4, y + 10, { steps: 4 });
    await page.mouse.up();
    const length = await lane(page, 'Low').getByRole('spinbutton', { name: 'Loop length' }).elementHandle();
    await page.waitForFunction((input) => (input as HTMLInputElement).value === '16', length);
  });

  it('[LIB-770] the bar of the selection shows the price in full on phones', async () => {
    const page = await visits.open(await listenerWith(visits.product, 5), PHONE);
    await page.goto(pack);
    await page.getByRole('button', { name: 'Select', exact: true }).tap();
    for (const name of ['Low', 'Middle', 'High'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).tap();
    const bar = page.getByRole('region', { name: 'Selection' });
    await bar.getByText('3 credits, one ZIP').waitFor();
    const cut = await bar
      .locator('[role=status] span')
      .evaluateAll((parts) => parts.filter((part) => part.scrollWidth > part.clientWidth + 1).length);
    expect(cut).toBe(0);
  });
});
