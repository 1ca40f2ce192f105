import address from 'signalsmith-stretch?url';
import { checkWebAssembly } from './preview-audio.js';
import { StretchedAudio } from './stretched-audio.js';

/**
 * Creates the output that changes tempo and pitch. Rejects if the browser has no audio worklets or WebAssembly, and on
 * pages without TLS.
 */
export async function openStretchedAudio(): Promise<StretchedAudio> {
  if (typeof AudioWorkletNode === 'undefined') throw new Error('This browser has no audio worklets.');
  await checkWebAssembly();
  const context = new AudioContext();
  try {
    // The page and the audio thread must each load the library from this address.
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
