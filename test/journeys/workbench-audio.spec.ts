import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openPage, startBrowser, type Browser, type Page } from '../support/browser.js';
import { openEngine, serveEngine, setLanes, type PageEngine } from '../support/engine-page.js';
import { beginOf, centsBetween, hertzOf, jumpIn, listen, onsetsOf, record } from '../support/heard.js';
import { wavFrom } from '../support/wav.js';

const RATE_HZ = 48_000;
const BPM = 135;
const BEATS = 4;
const FRAMES = Math.round((BEATS * 60 * RATE_HZ) / BPM);
const HERTZ = (500 * RATE_HZ) / FRAMES;
const TEMPO = 117;
/** The engine plays beats of four times a whole number of frames. */
const BEAT = 4 * Math.round((15 * RATE_HZ) / TEMPO);
/** A sound that is the same left and right is twice as loud at one side. */
const HALF_DB = 20 * Math.log10(0.5);

const clickAt = (since: number) => 0.5 * Math.exp(-since / 60) * Math.cos(since * 0.4);
const sine = wavFrom(FRAMES, RATE_HZ, (at) => 0.4 * Math.sin((2 * Math.PI * HERTZ * at) / RATE_HZ));
const clicks = wavFrom(FRAMES, RATE_HZ, (at) => clickAt(at % (FRAMES / BEATS)));
const beat = wavFrom(BEAT, RATE_HZ, clickAt);
const bar = wavFrom(BEATS * BEAT, RATE_HZ, (at) => clickAt(at % BEAT));

declare const engine: PageEngine;

/** What a listener hears of the workbench: decoded recordings of its engine in a real browser. */
describe('the audio engine of the workbench', () => {
  let served: Awaited<ReturnType<typeof serveEngine>>;
  let browser: Browser;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    [served, browser] = await Promise.all([serveEngine(), startBrowser()]);
    ({ page, errors } = await openPage(browser, served.url));
    await page.addInitScript(record);
    await openEngine(page, served.url);
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
    expect(errors).toEqual([]);
  });

  it('[WORK-720] lanes start together on the bar, and do not drift apart', async () => {
    await page.evaluate(([tempo, beatsPerBar]) => engine.setSong({ tempo, beatsPerBar, bars: 1 }), [
      TEMPO,
      BEATS,
    ] as const);
    await setLanes(page, [
      { id: 'left', wav: beat, cycleBeats: 1, pan: -1, gainDb: HALF_DB },
      { id: 'right', wav: bar, cycleBeats: BEATS, pan: 1, gainDb: HALF_DB },
    ]);
    // The first start opens the context, which the recorder follows a moment later.
    await page.evaluate(() => {
      engine.play();
    });
    await listen(page, 0.1);
    await page.evaluate(() => {
      engine.pause();
    });
    await listen(page, 0.1);
    await page.evaluate(() => {
      engine.play(0);
    });
    const { sound, right } = await listen(page, (12 * BEAT) / RATE_HZ);
    const [left, other] = [onsetsOf(sound, beginOf(sound), BEAT), onsetsOf(right, beginOf(right), BEAT)];
    expect(left.length).toBeGreaterThan(2 * BEATS);
    // Across seams of both lanes and of the song itself.
    for (const [index, onset] of left.entries())
      expect(Math.abs(onset - other[index]!)).toBeLessThanOrEqual(1);
    const drift = (other.at(-1)! - left.at(-1)! - (other[0]! - left[0]!)) / (left.at(-1)! - left[0]!);
    expect(Math.abs(drift) * 600_000).toBeLessThan(1);
    expect(
      Math.abs(((left.at(-1)! - left[0]!) / (left.length - 1) / RATE_HZ) * (TEMPO / 60) - 1),
    ).toBeLessThan(0.005);
  });

  it('[WORK-721] stretched lanes have the tempo and key of the song, and no click at their seams', async () => {
    const stretched = { rate: TEMPO / BPM, cycleBeats: BEATS };
    await setLanes(page, [
      { ...stretched, id: 'tone', wav: sine, pan: -1, gainDb: HALF_DB, semitones: 3 },
      { ...stretched, id: 'beats', wav: clicks, pan: 1, gainDb: HALF_DB, isPercussive: true },
    ]);
    // The lanes of the test before end.
    await listen(page, 0.3);
    const { rateHz, sound, right } = await listen(page, (9.5 * BEAT) / RATE_HZ);
    expect(centsBetween(hertzOf(sound, rateHz), HERTZ * 2 ** (3 / 12))).toBeLessThan(10);
    // A seam is somewhere in the recording. A steady tone has the same slope everywhere.
    const steepest = 0.4 * ((2 * Math.PI * HERTZ * 2 ** (3 / 12)) / rateHz);
    expect(jumpIn(sound)).toBeLessThan(steepest * 1.05);
    const first = right.findIndex((value) => Math.abs(value) > 0.2);
    const onsets = onsetsOf(right, first + BEAT, BEAT);
    expect(onsets.length).toBeGreaterThan(BEATS);
    const gaps = onsets.slice(1).map((onset, index) => onset - onsets[index]!);
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    expect(Math.abs(mean / BEAT - 1)).toBeLessThan(0.005);
    for (const gap of gaps) expect(Math.abs(gap - BEAT) / rateHz).toBeLessThan(0.005);
  });
});
