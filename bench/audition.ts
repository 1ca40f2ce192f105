/**
 * Measures auditions in tempo and key: the time from a key press to the first frame that is not silent, with the
 * preview prepared, and the share of one core that stretching takes. Builds the client, and runs the product on its own
 * database with some demo packs.
 *
 *   npm run bench -- bench/audition.ts
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { readConfig } from '../bootstrap/config.js';
import { startProduct, type Product } from '../bootstrap/product.js';
import { DEMO_PACKS } from '../demo/catalogue.js';
import { seedDemo } from '../demo/seed/seed.js';
import { DESKTOP, startBrowser, type Browser, type Page } from '../test/support/browser.js';
import { silence, tapOutput, timeToSound } from '../test/support/heard.js';

const GOAL_MS = 120;
const ROUNDS = 12;
const PACKS = 4;
const PROJECT = { name: 'Bench', tempo: 97, key: 'Eb Minor', timeSignature: '4/4' };
const LANES = [1, 8];
const SECONDS = 30;

/** Renders lanes of a chord as fast as possible. @returns the share of one core that it would take in real time */
const shareOf = (page: Page, lanes: number): Promise<number> =>
  page.evaluate(
    async ({ lanes, seconds }) => {
      interface Node extends AudioWorkletNode {
        addBuffers(channels: Float32Array[]): Promise<unknown>;
        schedule(change: object): Promise<unknown>;
      }
      type Library = (context: BaseAudioContext, options: AudioWorkletNodeOptions) => Promise<Node>;
      const file =
        performance.getEntriesByType('resource').find(({ name }) => /Signalsmith/.test(name))?.name ?? '';
      const context = new OfflineAudioContext(2, seconds * 48_000, 48_000);
      await context.audioWorklet.addModule(file);
      const { default: create }: { default: Library } = await import(file);
      for (let lane = 0; lane < lanes; lane += 1) {
        const node = await create(context, { numberOfInputs: 1, outputChannelCount: [2] });
        node.connect(context.destination);
        const channel = Float32Array.from(
          { length: 48_000 * seconds },
          (_, at) => 0.1 * (Math.sin(at * 0.02 * (lane + 1)) + Math.sin(at * 0.031)),
        );
        await node.addBuffers([channel, channel.slice()]);
        await node.schedule({ active: true, output: 0, input: 0, rate: 0.93, semitones: 3 });
      }
      const startedAt = performance.now();
      await context.startRendering();
      return (performance.now() - startedAt) / 1_000 / seconds;
    },
    { lanes, seconds: SECONDS },
  );

const folder = mkdtempSync(join(tmpdir(), 'offcut-audition-'));
let product: Product | undefined;
let browser: Browser | undefined;
try {
  const webFolder = join(folder, 'web');
  await build({ logLevel: 'warn', build: { outDir: webFolder } });
  const env = { NODE_ENV: 'test', PORT: '0', DATA_DIR: join(folder, 'data'), RATE_LIMIT_SCALE: '1000' };
  product = await startProduct(readConfig({ ...env, DEMO_CONTENT: 'on' }), { webFolder });
  await seedDemo(product, { packs: DEMO_PACKS.slice(0, PACKS), onProgress: () => undefined });
  browser = await startBrowser();
  const page = await (await browser.newContext({ ...DESKTOP, baseURL: product.url })).newPage();
  await page.addInitScript((project) => localStorage.setItem('project', project), JSON.stringify(PROJECT));
  await page.addInitScript(tapOutput);
  await page.goto('/search?bpmMin=60', { waitUntil: 'networkidle' });
  // The project changes every sample that has a tempo.
  const rows = page.locator('.sample-row');
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const row = round % Math.min(await rows.count(), ROUNDS);
    const preview = page.waitForResponse(/\/media\/previews\//);
    await rows.nth(row).hover();
    await (await preview).finished();
    await rows.nth(row).evaluate((element) => {
      const press = () =>
        element.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
        );
      Object.assign(globalThis, { press });
    });
    const ms = await timeToSound(page);
    // The first press fetches what all others have.
    if (round > 0) times.push(ms);
    await page.keyboard.press(' ');
    await silence(page);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(0);
  console.log(`key press to sound, warm: p50 ${at(0.5)} ms, p90 ${at(0.9)} ms; the goal is ${GOAL_MS} ms`);
  for (const lanes of LANES)
    console.log(
      `${lanes} stretched and transposed: ${((await shareOf(page, lanes)) * 100).toFixed(1)} % of one core`,
    );
  process.exitCode = Number(at(0.5)) <= GOAL_MS ? 0 : 1;
} finally {
  await browser?.close();
  await product?.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
