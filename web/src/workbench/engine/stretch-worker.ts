import address from 'signalsmith-stretch?url';
import { BLOCKS, checkWebAssembly } from '../../player/stretch/preview-audio.js';
import { fill, type Rendering } from './rendering.js';
import { RATE_HZ } from './timeline.js';

export interface ToStretch {
  channels: readonly Float32Array<ArrayBuffer>[];
  rendering: Rendering;
}

/** The part of the package's WebAssembly module that we use. Lengths are in frames. */
interface Stretcher {
  HEAP8: Int8Array<ArrayBuffer>;
  _configure(channels: number, block: number, interval: number, splitsComputation: boolean): void;
  _reset(): void;
  _setTransposeSemitones(semitones: number, tonalityLimit: number): void;
  _setFormantSemitones(semitones: number, compensates: boolean): void;
  _setFormantBase(frequency: number): void;
  _inputLatency(): number;
  _outputLatency(): number;
  /** Returns the memory address of the buffers: one per input channel, followed by one per output channel. */
  _setBuffers(channels: number, length: number): number;
  _process(input: number, output: number): void;
}

const CHUNK = 4_096;
/**
 * The number of frames to feed to the stretcher before the first frame that is kept, because its first output is not
 * yet accurate.
 */
const PREROLL = 0.25 * RATE_HZ;

/** The package exposes its module to audio worklets only, so this worker poses as one. */
async function openStretcher(): Promise<Stretcher> {
  await checkWebAssembly();
  return new Promise((resolve, reject) => {
    Object.assign(globalThis, {
      sampleRate: RATE_HZ,
      AudioWorkletProcessor: class {
        declare wasmModule: Stretcher;
        readonly port = { postMessage: () => resolve(this.wasmModule) };
      },
      registerProcessor: (_name: string, Processor: new (options: object) => unknown) =>
        new Processor({ numberOfOutputs: 1, outputChannelCount: [2] }),
    });
    import(/* @vite-ignore */ address).catch(reject);
  });
}

/** Renders a sound at once. A worklet would render it in real time, and position each block less exactly. */
function stretched(stretcher: Stretcher, { channels, rendering }: ToStretch): Float32Array<ArrayBuffer>[] {
  const { content, frames, lead, semitones, isPercussive } = rendering;
  const { blockMs, intervalMs, tonalityHz } = BLOCKS[isPercussive ? 'percussive' : 'tonal'];
  const [rate, count, perMs] = [content / frames, channels.length, RATE_HZ / 1_000];
  stretcher._configure(count, blockMs * perMs, intervalMs * perMs, false);
  stretcher._reset();
  stretcher._setTransposeSemitones(semitones, tonalityHz / RATE_HZ);
  stretcher._setFormantSemitones(0, false);
  stretcher._setFormantBase(0);
  const size = Math.ceil(CHUNK * Math.max(1, rate)) + 1;
  const buffers = stretcher._setBuffers(count, size);
  const viewOf = (buffer: number, length: number) =>
    new Float32Array(
      stretcher.HEAP8.buffer,
      buffers + buffer * size * Float32Array.BYTES_PER_ELEMENT,
      length,
    );
  const skipped = PREROLL + stretcher._outputLatency();
  const firstInput = stretcher._inputLatency() - Math.round((PREROLL + lead) * rate);
  const outputs = channels.map(() => new Float32Array(lead + frames));
  const total = skipped + lead + frames;
  for (let done = 0, fed = 0; done < total;) {
    const output = Math.min(CHUNK, total - done);
    const input = Math.round((done + output) * rate) - fed;
    for (const [index, channel] of channels.entries())
      fill(viewOf(index, input), channel, rendering, firstInput + fed);
    stretcher._process(input, output);
    const skip = Math.max(0, skipped - done);
    if (skip < output)
      for (const [index, channel] of outputs.entries())
        channel.set(viewOf(count + index, output).subarray(skip), done + skip - skipped);
    done += output;
    fed += input;
  }
  return outputs;
}

globalThis.onmessage = async ({ data }: MessageEvent<ToStretch>) => {
  const answer = await openStretcher()
    .then((stretcher) => stretched(stretcher, data))
    .catch(() => null);
  globalThis.postMessage(answer);
};
