import address from 'signalsmith-stretch?url';
import { StretchedAudio } from './stretched-audio.js';

/** The header of a WebAssembly module without content. */
const EMPTY_MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

/** Rejects in browsers without audio worklets or WebAssembly, and on pages without TLS. */
export async function openStretchedAudio(): Promise<StretchedAudio> {
  if (typeof AudioWorkletNode === 'undefined') throw new Error('This browser has no audio worklets.');
  await WebAssembly.compile(EMPTY_MODULE);
  const context = new AudioContext();
  try {
    // The same file runs in both threads.
    const [library] = await Promise.all([load(), context.audioWorklet.addModule(address)]);
    const node = await library.default(context, {
      numberOfInputs: 1,
      numberOfOutputs: 1,
      outputChannelCount: [2],
    });
    return new StretchedAudio(context, node);
  } catch (error) {
    await context.close();
    throw error;
  }
}

const load = (): Promise<typeof import('signalsmith-stretch')> => import(/* @vite-ignore */ address);
