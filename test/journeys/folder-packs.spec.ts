import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { OwnPack, OwnPackCard } from '../../application/publishing/contract.js';
import { violationNames } from '../support/accessibility.js';
import { writeCatalogue } from '../support/catalogue-folder.js';
import { Visits } from '../support/shop.js';

const visits = Visits.forTests();
const SLOW_MS = 1_500;
const scratch = mkdtempSync(join(tmpdir(), 'offcut-folder-'));
const catalogue = join(scratch, 'Catalogue');
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const HEAD = 'pack,file,title,bpm,key,price,genre,mood';
const WRONG = `${HEAD}\n,Soul_Drums/Hit_1.wav,Boom,fast\n,Soul_Drums/Gone.wav`;
const RIGHT = `${HEAD}\nFelt Keys,Felt Keys/Loops/Cold.wav,Cold Room,120,F minor,3,Soul,Dreamy`;

const slowDown = (page: Page): Promise<unknown> =>
  page.route(/\/api\/creator\/packs/, async (route) => {
    if (route.request().method() !== 'GET') await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    await route.continue().catch(() => undefined);
  });

it('[UPL-800] [UPL-801] [UPL-802] [UPL-830] makes packs of a folder once, over two reloads, and nothing of a wrong manifest', async () => {
  const creator = await visits.product.signedUp();
  await creator.post('/api/creator/application', {});
  const own = async () => ((await creator.get('/api/creator/packs')).body as { items: OwnPackCard[] }).items;
  const page = await visits.open(creator);
  await slowDown(page);
  let isHeld = true;
  await page.route(/\/samples\/[^/]+\/(midi|stems)$/, (route) => (isHeld ? undefined : route.fallback()));
  page.on('dialog', (dialog) => void dialog.accept());
  const dialog = page.getByRole('dialog', { name: /^Packs of/ });
  const tape = page.getByRole('region', { name: 'Uploads' });

  await writeCatalogue(catalogue, WRONG);
  await page.goto('/dashboard');
  await page.getByLabel('A folder of sounds').setInputFiles(catalogue);
  await dialog.getByText('Row 2: bpm: A number up to 400, or nothing.').waitFor();
  await dialog.getByText('Row 3: no such file: Soul_Drums/Gone.wav.').waitFor();
  expect(await dialog.getByRole('button', { name: /^Make/ }).count()).toBe(0);
  expect(await own()).toEqual([]);

  await writeCatalogue(catalogue, RIGHT);
  await dialog.getByLabel('The folder again').setInputFiles(catalogue);
  await dialog.getByText('2 packs with 10 sounds').waitFor();
  await dialog.getByText('2 sounds').waitFor();
  await dialog.getByText('1 with MIDI').waitFor();
  await dialog.getByAltText('Cover cover.png').waitFor();
  await dialog.getByText('2 files are left out').click();
  await dialog.getByText('Felt Keys/Not a sound.wav This is a PNG file named .wav.').waitFor();
  expect(await violationNames(page)).toEqual([]);
  await dialog.getByLabel('Name of Soul Drums').fill('Dusty Drums');
  await dialog.getByRole('button', { name: 'Make 2 packs' }).click();
  await dialog.getByText('Choose a genre').waitFor();
  await dialog.getByLabel('Genre of Soul Drums').selectOption('Boom-Bap');
  await dialog.getByLabel('Mood of Soul Drums').selectOption('Dark');
  await dialog.getByRole('button', { name: 'Make 2 packs' }).dblclick();
  await dialog.getByText('1 of 2').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await tape.getByText(/^[2-5] of 1[0-2]$/).waitFor();

  await page.reload();
  await tape.getByText('of the folder “Catalogue” not uploaded').waitFor();
  await tape.getByLabel('The folder Catalogue').setInputFiles(catalogue);
  await dialog.getByText('Continues your draft').first().waitFor();
  expect(await dialog.getByLabel('Name of Soul Drums').inputValue()).toBe('Dusty Drums');
  const attached = ['midi', 'stems'].map((part) =>
    page.waitForRequest((request) => request.method() === 'PUT' && request.url().endsWith(`/${part}`)),
  );
  await dialog.getByRole('button', { name: 'Continue' }).dblclick();
  await Promise.all(attached);
  await tape.getByText(/ready, 2 on the way$/).waitFor();

  isHeld = false;
  await page.reload();
  await tape
    .getByText(
      '2 files of the folder “Catalogue” not uploaded when you left the page: Warm_90bpm_Cmin.mid, Warm_90bpm_Cmin stems.zip',
    )
    .waitFor();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (/\/samples/.test(request.url()) && request.method() !== 'GET') sent.push(request.method());
  });
  await tape.getByLabel('The folder Catalogue').setInputFiles(catalogue);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await tape.getByRole('status').filter({ hasText: 'All files are uploaded.' }).waitFor();
  await tape.waitFor({ state: 'detached' });
  expect(sent).toEqual(['PUT', 'PUT']);

  const packs = await Promise.all(
    (await own()).map(async ({ slug }) => (await creator.get(`/api/creator/packs/${slug}`)).body as OwnPack),
  );
  const [drums, keys] = packs.sort((a, b) => (a.title < b.title ? -1 : 1));
  expect(packs.map(({ title, status, genre, mood }) => [title, status, genre, mood])).toEqual([
    ['Dusty Drums', 'draft', 'Boom-Bap', 'Dark'],
    ['Felt Keys', 'draft', 'Soul', 'Dreamy'],
  ]);
  // A reload between a sound and its attachments leaves the samples in the order of their arrival.
  const byName = (pack: OwnPack | undefined) => pack?.samples.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  expect(byName(drums)?.map(({ name }) => name)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `Hit ${n}`));
  expect(byName(keys)).toMatchObject([
    { name: 'Cold Room', bpm: 120, key: 'F Minor', creditCost: 3, hasMidi: false, hasStems: false },
    { name: 'Warm', bpm: 90, key: 'C Minor', creditCost: 1, hasMidi: true, hasStems: true },
  ]);
  const drawn = await creator.post('/api/creator/packs', { name: 'Plain', genre: 'Boom-Bap', mood: 'Dark' });
  expect(drums?.artworkUrl).not.toBe(drawn.body.artworkUrl);
});
