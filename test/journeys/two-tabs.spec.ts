import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import type { OwnPack } from '../../application/publishing/contract.js';
import { publishPack } from '../support/browser.js';
import type { HttpClient } from '../support/http-client.js';
import { draftPack, packOf as packFrom, upload, wav } from '../support/publishing.js';
import { Visits } from '../support/shop.js';

const NAMES = ['First of all', 'Second of all', 'Third of all'];

/** Each pair of edits of one pack in two tabs of a browser. */
describe('[EDIT-440] two tabs of an editor', () => {
  const visits = Visits.forTests();
  let creator: HttpClient;
  let slug: string;
  let editor: string;
  let context: BrowserContext;
  let one: Page;
  let other: Page;

  beforeAll(async () => {
    creator = await visits.product.signedUp('junie@example.com');
    await creator.becomeCreator();
    await creator.patch('/api/me', { displayName: 'Junie Okafor' });
  });
  beforeEach(async () => {
    const pack = await draftPack(creator);
    for (const name of NAMES) {
      const path = `/api/creator/packs/${pack.id}/samples`;
      expect(await upload(creator, path, { bytes: wav() }, { meta: { name } })).toMatchObject({
        status: 201,
      });
    }
    slug = pack.slug;
    editor = `/creator-pack/${slug}`;
    one = await visits.open(creator);
    context = one.context();
    other = await context.newPage();
  });

  const packOf = (): Promise<OwnPack> => packFrom(creator, slug);
  const names = async () => (await packOf()).samples.map(({ name }) => name);
  const openIn = async (tab: Page, path = editor) => {
    await tab.goto(path);
    await tab.getByText(NAMES[2]!).or(tab.locator('[data-cell="0:0"]')).first().waitFor();
  };

  const type = async (tab: Page, row: number, text: string) => {
    await tab.locator(`[data-cell="${row}:0"]`).click();
    await tab.keyboard.type(text);
    await tab.keyboard.press('Enter');
  };
  const saveGrid = (tab: Page) => tab.getByRole('button', { name: 'Save & Update' }).click();
  const isSaved = (tab: Page) => tab.getByText('Everything is saved.').waitFor();
  /** Opens the sheet of a sample and types another name. @returns saves the sheet */
  const rename = async (tab: Page, name: string, next: string) => {
    const heading = tab.getByRole('heading', { name: 'Edit Sample' });
    // When a sheet closes, the rows become wider, and a click in that moment meets no button.
    await heading.waitFor({ state: 'detached' });
    await tab.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
    await heading.waitFor();
    const sheet = tab.getByRole('complementary').last();
    await sheet.getByLabel('Name').fill(next);
    return () => sheet.getByRole('button', { name: 'Save sample' }).click();
  };
  const isWarned = async (tab: Page) => {
    await tab.getByText('This pack changed elsewhere').waitFor();
    await tab.getByRole('button', { name: 'OK' }).click();
  };
  const isUpdated = (tab: Page, description: string) =>
    tab.locator('.toast', { hasText: 'Updated' }).filter({ hasText: description }).first().waitFor();
  /** Moves the first sample down with the keyboard. */
  const moveDown = async (tab: Page, name: string) => {
    await tab.getByRole('button', { name: `Move ${name}`, exact: true }).focus();
    // The list starts to listen for the next key in a timer, which fires before the later timer that is awaited here.
    for (const [key, said] of [
      ['Space', `${name} is at 1 of 3.`],
      ['ArrowDown', `${name} is at 2 of 3.`],
      ['Space', `${name} was dropped at 2 of 3.`],
    ] as const) {
      await tab.keyboard.press(key);
      await tab.getByText(said).waitFor({ state: 'attached' });
      await tab.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    }
  };

  it('grid and grid: shows both values of a cell, and saves the others with the choice', async () => {
    await openIn(one, `${editor}?view=grid`);
    await openIn(other, `${editor}?view=grid`);
    await type(one, 0, 'Of the first tab');
    await saveGrid(one);
    await isSaved(one);
    await type(other, 0, 'Mine instead');
    await type(other, 1, 'Beside');
    await saveGrid(other);
    await other.getByText('Nothing was saved yet.').waitFor();
    await other.getByRole('button', { name: 'OK' }).click();
    await other.getByText('1 cell changed elsewhere').waitFor();
    expect((await names()).slice(0, 2)).toEqual(['Of the first tab', 'Second of all']);
    await other.getByRole('button', { name: 'Use theirs' }).click();
    await saveGrid(other);
    await isSaved(other);
    expect((await names()).slice(0, 2)).toEqual(['Of the first tab', 'Beside']);
  });

  it('sheet before grid: the grid warns of the name, and keeps the tempo of the sheet', async () => {
    await openIn(one);
    await openIn(other, `${editor}?view=grid`);
    await type(other, 0, 'Of the grid');
    const save = await rename(one, 'First of all', 'Of the sheet');
    await one.getByRole('complementary').last().getByLabel('BPM').fill('91');
    await save();
    await isUpdated(one, 'Of the sheet');
    await saveGrid(other);
    await isWarned(other);
    expect((await names())[0]).toBe('Of the sheet');
    await other.getByRole('button', { name: 'Use theirs' }).click();
    await type(other, 1, 'Beside');
    await saveGrid(other);
    await isSaved(other);
    expect((await packOf()).samples.slice(0, 2)).toMatchObject([
      { name: 'Of the sheet', bpm: 91 },
      { name: 'Beside' },
    ]);
  });

  it('grid before sheet: the text typed in the sheet survives the warning, and is saved when wanted', async () => {
    await openIn(one);
    await openIn(other, `${editor}?view=grid`);
    const save = await rename(one, 'First of all', 'Of the sheet');
    await type(other, 0, 'Of the grid');
    await saveGrid(other);
    await isSaved(other);
    await save();
    await isWarned(one);
    expect((await names())[0]).toBe('Of the grid');
    await save();
    await isUpdated(one, 'Of the sheet');
    expect((await names())[0]).toBe('Of the sheet');
  });

  it('pack details twice: the text typed in the dialog survives the warning', async () => {
    const describeIn = async (tab: Page, text: string) => {
      await openIn(tab);
      await tab.getByRole('button', { name: 'Edit Pack Info' }).click();
      await tab.getByRole('dialog').getByLabel('Description').fill(text);
      return () => tab.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    };
    const saveMine = await describeIn(one, 'Mine');
    const saveTheirs = await describeIn(other, 'Theirs');
    await saveTheirs();
    await other.getByRole('dialog').waitFor({ state: 'hidden' });
    await saveMine();
    await isWarned(one);
    expect((await packOf()).description).toBe('Theirs');
    await saveMine();
    await one.getByRole('dialog').waitFor({ state: 'hidden' });
    expect((await packOf()).description).toBe('Mine');
  });

  it('price twice: the second price is not saved over the first', async () => {
    const price = async (tab: Page, credits: string) => {
      await openIn(tab);
      await tab.getByRole('button', { name: 'Pack Price' }).click();
      await tab.getByLabel('Price of the whole pack in credits').fill(credits);
      return () => tab.getByRole('button', { name: 'Save price' }).click();
    };
    const saveMine = await price(one, '2');
    const saveTheirs = await price(other, '1');
    await saveTheirs();
    await other.getByText('The price was saved').waitFor();
    await saveMine();
    await isWarned(one);
    expect((await packOf()).priceCredits).toBe(1);
    await one.getByRole('button', { name: 'Remove price' }).click();
    await one.getByText('The pack costs the sum of its samples').waitFor();
    expect((await packOf()).priceCredits).toBeNull();
  });

  it('edit before order: the order is not saved over a change that was not seen', async () => {
    await openIn(one);
    await openIn(other);
    const save = await rename(other, 'Second of all', 'Beside it');
    await save();
    await isUpdated(other, 'Beside it');
    await moveDown(one, 'First of all');
    await isWarned(one);
    expect((await names()).slice(0, 2)).toEqual(['First of all', 'Beside it']);
  });

  it('order before edit: an edit does not undo the order', async () => {
    await openIn(one);
    await openIn(other);
    const save = await rename(other, 'Second of all', 'On top');
    await moveDown(one, 'First of all');
    while ((await names())[1] !== 'First of all') await one.waitForTimeout(100);
    await save();
    await isUpdated(other, 'On top');
    expect(await names()).toEqual(['On top', 'First of all', 'Third of all']);
  });

  it('[PUB-02] edit before publication: nothing is published that was not seen', async () => {
    await openIn(one);
    await openIn(other);
    const save = await rename(other, 'First of all', 'Renamed');
    await save();
    await isUpdated(other, 'Renamed');
    await publishPack(one);
    await isWarned(one);
    const { status, samples } = await packOf();
    expect([status, samples.filter(({ origin }) => origin !== null)]).toEqual(['draft', []]);
    await one.getByRole('dialog').getByRole('button', { name: 'Publish Pack' }).click();
    await one.getByText("Pack published successfully! It's now visible across the site.").waitFor();
    expect(await packOf()).toMatchObject({ status: 'published' });
  });

  it('[PUB-02] publication before edit: an edit from before the publication is saved', async () => {
    await openIn(one);
    await openIn(other);
    const save = await rename(other, 'First of all', 'On sale');
    await publishPack(one);
    await one.getByText("Pack published successfully! It's now visible across the site.").waitFor();
    await save();
    await isUpdated(other, 'On sale');
    expect(await packOf()).toMatchObject({ status: 'published' });
    expect((await names())[0]).toBe('On sale');
  });
});
