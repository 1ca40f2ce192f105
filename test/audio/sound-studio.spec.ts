import { afterAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkerSoundStudio } from '../../adapters/vendors/audio/fingerprint/worker-sound-studio.js';
import { rustle, wavFile } from './synthesis.js';

const folder = mkdtempSync(join(tmpdir(), 'offcut-sounds-'));
const path = join(folder, 'sound.wav');
writeFileSync(path, wavFile([rustle(2, 1)]));
const studios: WorkerSoundStudio[] = [];
const studioWith = (timeLimitMs?: number): WorkerSoundStudio => {
  const studio = new WorkerSoundStudio(timeLimitMs);
  studios.push(studio);
  return studio;
};
afterAll(async () => {
  for (const studio of studios) await studio.onApplicationShutdown();
  rmSync(folder, { recursive: true, force: true });
});

it('[COPY-14] a thread that is killed fails what it was asked, and the next one begins knowing nothing', async () => {
  const studio = studioWith();
  const fingerprint = (await studio.fingerprint(path)) as Uint8Array;
  const learnt = { soundId: 7, creatorId: 'ada', fingerprint };
  studio.learn([learnt]);
  expect(studio.known()).toEqual({ last: 7, recent: [7] });
  expect(await studio.alike(path, 'ben')).toMatchObject([{ soundId: 7 }]);
  const asked = studio.alike(path, 'ben');
  await studio.onApplicationShutdown();
  await expect(asked).rejects.toThrow('ended');
  expect(studio.known()).toEqual({ last: 0, recent: [] });
  expect(await studio.alike(path, 'ben')).toEqual([]);
  studio.learn([learnt]);
  expect(await studio.alike(path, 'ben')).toMatchObject([{ soundId: 7 }]);
  expect(await studio.alike(path, 'ada')).toEqual([]);
});

it('[COPY-14] what takes too long is ended, and a file that cannot be heard fails alone', async () => {
  await expect(studioWith(1).fingerprint(path)).rejects.toThrow('ended');
  const studio = studioWith();
  const broken = join(folder, 'broken.mp3');
  writeFileSync(broken, 'nothing to hear');
  await expect(studio.fingerprint(broken)).rejects.toThrow('UnsupportedAudioType');
  expect(await studio.fingerprint(path)).toBeInstanceOf(Uint8Array);
});
