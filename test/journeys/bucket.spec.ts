import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { S3ObjectStorage } from '../../adapters/vendors/s3/s3-object-storage.js';
import type { OwnPack } from '../../application/publishing/contract.js';
import { DESKTOP } from '../support/browser.js';
import { listenerWith, openShop, Visits } from '../support/shop.js';
import { wavOf } from '../support/wav.js';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const endpoint = process.env.TEST_S3_ENDPOINT ?? '';
// Without a bucket, the test run itself lists what it skipped and why.
(endpoint ? describe : describe.skip)(
  '[OPS-242] with a bucket whose name stands before the server’s, as on Amazon',
  () => {
    const bucket = `journeys-${randomBytes(4).toString('hex')}`;
    const port = /:(\d+)/.exec(endpoint)?.[1];
    const origin = `http://${bucket}.localhost:${port}`;
    const visits = Visits.forTests(async () => ({
      WORK_KINDS: 'mail,encode',
      S3_ENDPOINT: endpoint,
      S3_PUBLIC_ENDPOINT: `http://localhost:${port}`,
      S3_FORCE_PATH_STYLE: 'off',
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: 'testkey',
      S3_SECRET_ACCESS_KEY: 'testsecret',
    }));
    const folder = mkdtempSync(join(tmpdir(), 'offcut-journey-'));
    let path: string;

    beforeAll(async () => {
      const { storage } = visits.product.resources;
      await storage.ping();
      await (storage as S3ObjectStorage).cors.allow(visits.product.url);
      const sounds = [{ name: 'Hum' }];
      [path = ''] = await openShop(visits.product, [
        { name: 'Night shift', genre: 'Trap', mood: 'Dark', sounds },
      ]);
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    /** Returns the requests of a page to the bucket. */
    const askedThere = (page: Page): string[] => {
      const asked: string[] = [];
      page.on('request', (request) => {
        const url = new URL(request.url());
        if (url.origin !== origin) return;
        asked.push(`${request.method()} ${url.searchParams.get('partNumber') ?? ''}`.trim());
      });
      return asked;
    };

    it('a download arrives in the page', async () => {
      const page = await visits.open(await listenerWith(visits.product, 5));
      const asked = askedThere(page);
      await page.goto(path);
      await page
        .getByRole('button', { name: /^Download for/ })
        .first()
        .click();
      const file = page.waitForEvent('download');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Download' }).click();
      const taken = await file;
      expect(taken.suggestedFilename()).toMatch(/\.wav$/);
      expect(sha256(readFileSync(await taken.path()))).toBe(sha256(wavOf({ seconds: 4, hertz: 220 })));
      expect(asked).toEqual(['GET']);
    });

    it('[SYNC-700] the folder of the downloads takes its files from there', async () => {
      const ada = await listenerWith(visits.product, 5);
      const { body } = await ada.get('/api/samples');
      const [sample] = body.items as { id: string; creditCost: number }[];
      await ada.put('/api/library/file-names', { template: '{title}' });
      const headers = { 'idempotency-key': randomUUID() };
      await ada.post(
        '/api/downloads',
        { sampleId: sample?.id, expectedCredits: sample?.creditCost },
        { headers },
      );
      const page = await visits.open(ada, DESKTOP, 'profile');
      const asked = askedThere(page);
      await page.addInitScript(() => {
        Object.assign(window, { showDirectoryPicker: () => navigator.storage.getDirectory() });
      });
      await page.goto('/library?downloads');
      const panel = page.getByRole('region', { name: 'Folder', exact: true });
      await panel.getByRole('button', { name: 'Choose a folder' }).click();
      await panel.getByText('1 file, 1 new').waitFor();
      const kept = await page.evaluate(async () => {
        const handle = await (await navigator.storage.getDirectory()).getFileHandle('Hum.wav');
        return [...new Uint8Array(await (await handle.getFile()).arrayBuffer())];
      });
      expect(sha256(Buffer.from(kept))).toBe(sha256(wavOf({ seconds: 4, hertz: 220 })));
      expect(asked).toContain('GET');
    });

    it('an upload goes there in parts, and after a reload only with what was missing', async () => {
      const creator = await visits.product.signedUp();
      await creator.post('/api/creator/application', {});
      const { slug } = (
        await creator.post('/api/creator/packs', { name: 'Long', genre: 'Trap', mood: 'Dark' })
      ).body as OwnPack;
      const recording = join(folder, 'Long_take.wav');
      const bytes = wavOf({ seconds: 110, hertz: 110 });
      writeFileSync(recording, bytes);

      const page = await visits.open(creator);
      const asked = askedThere(page);
      const forms: number[] = [];
      page.on('request', (request) => {
        if (/\/samples\?uploadId=/.test(request.url())) forms.push(request.postDataBuffer()?.length ?? 0);
      });
      // The second part never arrives.
      const secondPart = (url: URL) => url.origin === origin && url.searchParams.get('partNumber') === '2';
      let isOpen = false;
      const isHeld = new Promise<void>(
        (resolve) => void page.route(secondPart, (route) => (isOpen ? route.continue() : resolve())),
      );
      await page.goto(`/creator-pack/${slug}`);
      await page.getByLabel('Audio files').setInputFiles(recording);
      await isHeld;
      expect(asked).toEqual(['PUT 1', 'PUT 2']);
      await page.reload();
      isOpen = true;
      asked.length = 0;
      await page.getByText(/1 file not uploaded into/).waitFor();
      await page.getByLabel('Audio files').setInputFiles(recording);
      await page.locator('.edit-open').first().waitFor();
      expect(asked).toEqual(['PUT 2']);
      const { samples } = (await creator.get(`/api/creator/packs/${slug}`)).body as OwnPack;
      expect(samples.map(({ name, sha256: hash }) => [name, hash])).toEqual([['Long take', sha256(bytes)]]);
      expect(forms).toHaveLength(1);
      expect(forms[0]).toBeLessThan(2_000);
    });
  },
);
