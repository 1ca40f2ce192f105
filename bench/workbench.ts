/**
 * Measures the workbench's audio engine in Chromium with eight stretched and transposed stereo lanes: the time from
 * play to sound, the share of one core while they play, and the time to render them. [WORK-720] measures their drift.
 *
 *   npm run bench -- bench/workbench.ts
 */
import { DESKTOP, startBrowser, type Browser, type Page } from '../test/support/browser.js';
import { openEngine, serveEngine, setLanes, type PageEngine } from '../test/support/engine-page.js';
import { silence, tapOutput, timeToSound } from '../test/support/heard.js';
import { wavFrom } from '../test/support/wav.js';

const LANES = 8;
const ROUNDS = 10;
const TEMPO = 97;
const RATE_HZ = 48_000;
const SECONDS = 10;
const GOALS = { share: 0.25, startMs: 120 };

declare const engine: PageEngine;

/** Returns the processor seconds that the browser has used, without those of its network. */
async function processorSeconds(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** @returns processor seconds a second */
async function share(browser: Browser, page: Page): Promise<number> {
  const before = await processorSeconds(browser);
  await page.waitForTimeout(SECONDS * 1_000);
  return ((await processorSeconds(browser)) - before) / SECONDS;
}

const served = await serveEngine();
const browser = await startBrowser();
try {
  const page = await (await browser.newContext(DESKTOP)).newPage();
  await page.addInitScript(tapOutput);
  await openEngine(page, served.url);
  await page.evaluate((tempo) => engine.setSong({ tempo, beatsPerBar: 4, bars: 8 }), TEMPO);
  const chords = Array.from({ length: LANES }, (_, lane) => {
    const valueAt = (at: number) => 0.2 * (Math.sin(at * 0.02 * (lane + 1)) + Math.sin(at * 0.031));
    const wav = wavFrom(Math.round((16 * 60 * RATE_HZ) / 104), RATE_HZ, valueAt, 2);
    return { id: `${lane}`, wav, cycleBeats: 16, rate: TEMPO / 104, semitones: 3, gainDb: -12 };
  });
  const renderedMs = await setLanes(page, chords);
  const idle = await share(browser, page);
  await page.evaluate(() => Object.assign(globalThis, { press: () => engine.play(0) }));
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const ms = await timeToSound(page);
    // The first start opens the audio device.
    if (round > 0) times.push(ms);
    else console.log(`first play to sound: ${ms.toFixed(0)} ms`);
    await page.evaluate(() => engine.pause());
    await silence(page);
  }
  times.sort((a, b) => a - b);
  const startMs = times[Math.floor(times.length / 2)] ?? 0;
  await page.evaluate(() => engine.play(0));
  const cost = (await share(browser, page)) - idle;
  await page.evaluate(() => engine.pause());
  await silence(page);

  console.log(`${LANES} lanes of 16 beats are rendered in ${renderedMs.toFixed(0)} ms`);
  console.log(`play to sound: ${startMs.toFixed(0)} ms in the median; the goal is ${GOALS.startMs} ms`);
  console.log(
    `${LANES} lanes take ${(cost * 100).toFixed(1)} % of one core; the goal is ${GOALS.share * 100} %`,
  );
  const isGood = cost < GOALS.share && startMs <= GOALS.startMs;
  process.exitCode = isGood ? 0 : 1;
} finally {
  await browser.close();
  await served.close();
}
process.exit();
