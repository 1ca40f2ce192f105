import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DESKTOP } from '../support/browser.js';
import { beginOf, centsBetween, hertzOf, jumpIn, listen, onsetsOf, record } from '../support/heard.js';
import { Visits } from '../support/shop.js';
import { wavFrom } from '../support/wav.js';

const RATE_HZ = 44_100;
const BPM = 104;
const BEATS = 4;
const FRAMES = Math.round((BEATS * 60 * RATE_HZ) / BPM);
/** A whole number of periods, so that the loop itself has no seam. */
const HERTZ = (508 * RATE_HZ) / FRAMES;
const PROJECT = { name: 'Last bus, verse', tempo: 90, key: 'C Minor', timeSignature: '4/4' };
const BEAT_SECONDS = 60 / PROJECT.tempo;
const LOOP_SECONDS = BEATS * BEAT_SECONDS;

const sine = wavFrom(FRAMES, RATE_HZ, (at) => 0.5 * Math.sin((2 * Math.PI * HERTZ * at) / RATE_HZ));
/** A short tone at each beat. */
const clicks = wavFrom(FRAMES, RATE_HZ, (at) => {
  const sinceBeat = at % (FRAMES / BEATS);
  return 0.8 * Math.exp(-sinceBeat / 60) * Math.cos(sinceBeat * 0.4);
});

declare const heard: { rateHz: number };

/** What a listener hears: decoded recordings of the player in a real browser. */
describe('auditions in tempo and key', () => {
  const visits = Visits.forTests();
  let pack: string;

  beforeAll(async () => {
    const creator = await visits.product.signedUp('tres@example.com');
    await creator.patch('/api/me', { displayName: 'Tres Patios' });
    await creator.becomeCreator();
    const draft = await creator.post('/api/creator/packs', { name: 'Porch', genre: 'Soul', mood: 'Chill' });
    const add = async (name: string, meta: object, wav: Buffer) => {
      const form = new FormData();
      form.append('meta', JSON.stringify(meta));
      form.append('audio', new Blob([new Uint8Array(wav)]), `${name}.wav`);
      const path = `/api/creator/packs/${draft.body.id}/samples`;
      expect((await creator.post(path, undefined, { raw: form })).status).toBe(201);
    };
    await add('Sine loop', { bpm: BPM, key: 'A Minor', instruments: ['Synth'] }, sine);
    await add('Click loop', { bpm: BPM, instruments: ['Drums'] }, clicks);
    expect((await creator.post(`/api/creator/packs/${draft.body.id}/publish`, {})).status).toBeLessThan(300);
    const { handle } = (await creator.get('/api/creator')).body as { handle: string };
    pack = `/pack/${draft.body.slug}/${handle}`;
  });

  const arrive = async (project: object | null, prepare: () => void = record): Promise<Page> => {
    const page = await visits.open(undefined, { ...DESKTOP, bypassCSP: prepare === record });
    await page.addInitScript(
      (value) => value && localStorage.setItem('project', value),
      project && JSON.stringify(project),
    );
    await page.addInitScript(prepare);
    await page.goto(pack, { waitUntil: 'networkidle' });
    return page;
  };
  const bar = (page: Page) => page.getByRole('region', { name: 'Player' });

  it('[PLAY-706] a tone is heard in the key of the project, and repeats without a click', async () => {
    const page = await arrive(PROJECT);
    await page.getByRole('button', { name: 'Play Sine loop' }).click();
    await bar(page).getByText('104 → 90 BPM').waitFor();
    const { rateHz, sound } = await listen(page, 2.5 * LOOP_SECONDS + 1);
    const begin = beginOf(sound);
    const steady = sound.subarray(begin + rateHz / 2);
    expect(centsBetween(hertzOf(steady, rateHz), HERTZ * 2 ** (3 / 12))).toBeLessThan(10);
    const seams = [1, 2].map((times) => begin + times * LOOP_SECONDS * rateHz);
    const near = 0.1 * rateHz;
    const elsewhere = [
      jumpIn(sound, begin + near, (seams[0] ?? 0) - near),
      jumpIn(sound, (seams[0] ?? 0) + near, (seams[1] ?? 0) - near),
    ];
    for (const seam of seams)
      expect(jumpIn(sound, seam - near, seam + near)).toBeLessThanOrEqual(Math.max(...elsewhere) * 1.01);
  });

  it('[PLAY-706] beats are heard at the tempo of the project, over the seam as well', async () => {
    const page = await arrive(PROJECT);
    await page.getByRole('button', { name: 'Play Click loop' }).click();
    const { rateHz, sound } = await listen(page, 2.5 * LOOP_SECONDS + 1);
    const begin = beginOf(sound);
    const onsets = onsetsOf(sound, begin, BEAT_SECONDS * rateHz).map((frame) => frame / rateHz);
    expect(onsets.length).toBeGreaterThan(2 * BEATS);
    const gaps = onsets.slice(1).map((onset, index) => onset - (onsets[index] ?? 0));
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    expect(Math.abs(mean / BEAT_SECONDS - 1)).toBeLessThan(0.005);
    for (const gap of gaps) expect(Math.abs(gap - BEAT_SECONDS)).toBeLessThan(0.02);
  });

  it('[PLAY-705, PLAY-707] X plays the original at once, and a new key is heard without a new start', async () => {
    const page = await arrive(PROJECT);
    await page.getByRole('button', { name: 'Play Sine loop' }).click();
    await listen(page, 1);
    await page.keyboard.press('x');
    await bar(page).getByText('90 → 104 BPM').waitFor();
    // The first half second holds the change.
    await listen(page, 0.5);
    const original = await listen(page, 1);
    expect(centsBetween(hertzOf(original.sound, original.rateHz), HERTZ)).toBeLessThan(10);
    expect(
      await page.evaluate(() => document.querySelector('.sample-row')?.getAttribute('data-playback')),
    ).toBe('playing');
    await page.keyboard.press(' ');
    await bar(page).getByRole('button', { name: 'Play Sine loop' }).waitFor();
    await listen(page, 0.3);
    const silence = await listen(page, 0.2);
    expect(Math.max(...silence.sound.map(Math.abs))).toBeLessThan(0.001);
  });

  it('[PLAY-700] without a project an audio element plays', async () => {
    const page = await arrive(null);
    await page.getByRole('button', { name: 'Play Sine loop' }).click();
    await page.waitForFunction(() => document.querySelector('.sample-row[data-playback=playing]'));
    expect(await page.evaluate(() => heard.rateHz)).toBe(0);
  });

  it('[PLAY-700] with a project the worklet plays, under the policy for scripts', async () => {
    const page = await arrive(PROJECT, () => undefined);
    await page.getByRole('button', { name: 'Play Click loop' }).click();
    // The worklet reports the position, and the loop repeats.
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[aria-label="Position in the preview"]')?.value === '2',
    );
    expect(await bar(page).getByText('Only the tempo is yours').count()).toBe(0);
  });

  it('[PLAY-703] a browser without worklets changes the tempo and says so', async () => {
    const page = await arrive(PROJECT, () => {
      Reflect.deleteProperty(globalThis, 'AudioWorkletNode');
      const { play } = HTMLMediaElement.prototype;
      HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
        Object.assign(globalThis, { played: this });
        return play.call(this);
      };
    });
    await page.getByRole('button', { name: 'Play Sine loop' }).click();
    await bar(page).getByText('Only the tempo is yours').waitFor();
    await page.waitForFunction(() => 'played' in globalThis);
    const element = await page.evaluate(() => {
      const { played } = globalThis as unknown as { played: HTMLMediaElement };
      return { rate: played.playbackRate, keeps: played.preservesPitch };
    });
    expect(element).toEqual({ rate: expect.closeTo(90 / 104, 6), keeps: true });
  });
});
