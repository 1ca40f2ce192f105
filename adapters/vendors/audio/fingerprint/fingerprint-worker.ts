import { parentPort } from 'node:worker_threads';
import type { Alignment, SecondLook } from '../../../../application/publishing/sounds/sound-studio.js';
import type { LearntSound } from '../../../../application/publishing/sounds/known-sounds.js';
import { descriptorsOf } from '../../../../domain/catalogue/sound/descriptors.js';
import { listen } from './listen.js';
import { secondLook } from './phases.js';
import { questionsOf } from './questions.js';
import { fingerprintOf, unpackSigns } from './signs.js';
import { SoundIndex } from './sound-index.js';

/** The requests that the thread accepts. It handles one at a time. */
export type SoundRequest =
  | { type: 'fingerprint'; path: string }
  | { type: 'describe'; path: string }
  | { type: 'alike'; path: string; creatorId: string }
  | { type: 'compare'; path: string; likePath: string; first: Alignment };
export type SoundMessage =
  | { type: 'learn'; sounds: readonly LearntSound[] }
  | { type: 'ask'; id: number; request: SoundRequest };
type Answer = Uint8Array | Float32Array | null | Alignment[] | SecondLook;
export type SoundAnswer = { id: number } & ({ answer: Answer } | { failure: string });

const index = new SoundIndex();
let turn: Promise<void> = Promise.resolve();
/** Caches the last decoded sound, because a sound is compared with several known sounds in turn. */
let heard: { path: string; track: Promise<Float32Array> } | undefined;

// Silences the console, because libraries write warnings about unusual files to the console.
for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) console[method] = () => undefined;

parentPort?.on('message', (message: SoundMessage) => {
  if (message.type === 'ask') turn = turn.then(() => reply(message.id, message.request));
  else
    index.add(
      message.sounds.map(({ soundId, creatorId, fingerprint }) => ({
        id: soundId,
        owner: creatorId,
        signs: unpackSigns(fingerprint),
      })),
    );
});

async function reply(id: number, request: SoundRequest): Promise<void> {
  let answer: SoundAnswer;
  try {
    answer = { id, answer: await answerTo(request) };
  } catch (error) {
    answer = { id, failure: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(answer);
}

async function answerTo(request: SoundRequest): Promise<Answer> {
  switch (request.type) {
    case 'fingerprint':
      return fingerprintOf(await listen(request.path));
    case 'describe':
      return descriptorsOf(await listen(request.path));
    case 'alike': {
      const found = index.find(questionsOf(await trackOf(request.path)), request.creatorId);
      return found.map(({ id, ...alignment }) => ({ soundId: id, ...alignment }));
    }
    case 'compare':
      return secondLook(await listen(request.likePath), await trackOf(request.path), request.first);
  }
}

function trackOf(path: string): Promise<Float32Array> {
  if (heard?.path !== path) heard = { path, track: listen(path) };
  return heard.track;
}
