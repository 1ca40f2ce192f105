import type { Page } from 'playwright-core';
import { LIMIT_MS } from './until.js';

declare const heard: { rateHz: number; frames: number; blocks: Float32Array[][] };

/** Keeps what a page's audio graph plays, in stereo. Needs a page without a policy for scripts. */
export function record(): void {
  const recorder = `registerProcessor('recorder', class extends AudioWorkletProcessor {
    process([channels]) {
      const [left, right = left] = channels;
      if (left) this.port.postMessage([left.slice(), right.slice()]);
      return true;
    }
  });`;
  const { connect } = AudioNode.prototype;
  Object.assign(globalThis, { heard: { rateHz: 0, frames: 0, blocks: [] } });
  AudioNode.prototype.connect = function (this: AudioNode, ...to: unknown[]) {
    if (to[0] instanceof AudioDestinationNode) {
      const { context } = this;
      heard.rateHz = context.sampleRate;
      void context.audioWorklet.addModule(`data:text/javascript,${encodeURIComponent(recorder)}`).then(() => {
        const node = new AudioWorkletNode(context, 'recorder', { numberOfOutputs: 0 });
        node.port.onmessage = ({ data }) => {
          const block = data as Float32Array[];
          heard.blocks.push(block);
          heard.frames += block[0]?.length ?? 0;
        };
        Reflect.apply(connect, this, [node]);
      });
    }
    return Reflect.apply(connect, this, to);
  } as typeof connect;
}

export interface Heard {
  rateHz: number;
  /** The left channel. */
  sound: Float32Array;
  right: Float32Array;
}

/** Returns the next seconds that a page plays. */
export async function listen(page: Page, seconds: number): Promise<Heard> {
  await page.waitForFunction((seconds) => heard.frames > seconds * heard.rateHz, seconds);
  const { rateHz, channels } = await page.evaluate(() => {
    const { rateHz, frames } = heard;
    const blocks = heard.blocks.splice(0);
    heard.frames = 0;
    const channels = [0, 1].map((channel) => {
      const all = new Float32Array(frames);
      let at = 0;
      for (const block of blocks) {
        all.set(block[channel] ?? [], at);
        at += block[channel]?.length ?? 0;
      }
      const bytes = new Uint8Array(all.buffer);
      let text = '';
      for (let from = 0; from < bytes.length; from += 0x8000)
        text += String.fromCharCode(...bytes.subarray(from, from + 0x8000));
      return btoa(text);
    });
    return { rateHz, channels };
  });
  const [sound, right] = channels.map(
    (base64) => new Float32Array(new Uint8Array(Buffer.from(base64, 'base64')).buffer),
  );
  if (!sound || !right) throw new Error('Nothing was recorded.');
  return { rateHz, sound, right };
}

/** The frame at which the sound begins. */
export const beginOf = (sound: Float32Array) => sound.findIndex((value) => Math.abs(value) > 0.005);

/** The frequency of a sine, by its crossings of zero. */
export function hertzOf(sound: Float32Array, rateHz: number): number {
  const crossings: number[] = [];
  for (let at = 1; at < sound.length; at += 1) {
    const [before = 0, now = 0] = [sound[at - 1], sound[at]];
    if (before < 0 && now >= 0) crossings.push(at - now / (now - before));
  }
  return ((crossings.length - 1) * rateHz) / ((crossings.at(-1) ?? 0) - (crossings[0] ?? 0));
}

export const centsBetween = (one: number, other: number) => Math.abs(1_200 * Math.log2(one / other));

/** The largest difference of two neighbouring frames. */
export function jumpIn(sound: Float32Array, from = 0, to = sound.length): number {
  let largest = 0;
  for (let at = Math.max(1, Math.round(from)); at < Math.min(to, sound.length); at += 1)
    largest = Math.max(largest, Math.abs((sound[at] ?? 0) - (sound[at - 1] ?? 0)));
  return largest;
}

/** The frames of short tones that follow silence: where each first reaches half of its loudest frame. */
export function onsetsOf(sound: Float32Array, around: number, beat: number): number[] {
  const onsets: number[] = [];
  for (let at = around; at + beat / 2 < sound.length; at += beat) {
    const from = Math.max(0, Math.round(at - beat / 4));
    const near = sound.subarray(from, Math.round(at + beat / 4));
    const loudest = near.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0);
    if (loudest < 0.1) throw new Error(`Nothing is heard near frame ${at}.`);
    onsets.push(from + near.findIndex((value) => Math.abs(value) > loudest / 2));
  }
  return onsets;
}

declare const tap: AnalyserNode | undefined;
declare const press: () => void;

/** Lets `timeToSound` and `silence` hear what a page plays. Runs in the page. */
export function tapOutput(): void {
  const { connect } = AudioNode.prototype;
  AudioNode.prototype.connect = function (this: AudioNode, ...to: unknown[]) {
    if (to[0] instanceof AudioDestinationNode) {
      const analyser = this.context.createAnalyser();
      analyser.fftSize = 256;
      Reflect.apply(connect, this, [analyser]);
      Object.assign(globalThis, { tap: analyser });
    }
    return Reflect.apply(connect, this, to);
  } as typeof connect;
}

/** Calls the page's global `press`. @returns milliseconds until a sound is heard */
export const timeToSound = (page: Page): Promise<number> =>
  page.evaluate(
    (limitMs) =>
      new Promise<number>((resolve, reject) => {
        const frames = new Float32Array(256);
        const pressedAt = performance.now();
        press();
        setTimeout(() => reject(new Error('Nothing was heard.')), limitMs);
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          tap?.getFloatTimeDomainData(frames);
          if (frames.some((value) => Math.abs(value) > 1e-4)) resolve(performance.now() - pressedAt);
          else port2.postMessage(undefined);
        };
        port2.postMessage(undefined);
      }),
    LIMIT_MS,
  );

/** Waits until a page plays nothing. */
export const silence = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => {
    const frames = new Float32Array(256);
    tap?.getFloatTimeDomainData(frames);
    return frames.every((value) => Math.abs(value) < 1e-5);
  });
