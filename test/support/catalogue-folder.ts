import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { ZipFile } from 'yazl';
import { wavOf } from './wav.js';

/** A ZIP archive of recordings, as creators send stems. */
function stemsOf(...names: string[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [n, name] of names.entries()) zip.addBuffer(wavOf({ seconds: 1, hertz: 90 + n * 60 }), name);
  zip.end();
  return buffer(zip.outputStream as NodeJS.ReadableStream);
}

const cover = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 320, height: 320, channels: 3, background } })
    .png()
    .toBuffer();

/** Writes a catalogue of two packs with a cover, MIDI, stems, a manifest and files that are no sounds. */
export async function writeCatalogue(folder: string, manifest?: string): Promise<void> {
  const midi = Buffer.from('MThd\0\0\0\x06\0\0\0\x01\0\x60', 'latin1');
  const files: Record<string, Buffer> = {
    'Soul_Drums/cover.png': await cover('#a33'),
    'Soul_Drums/Notes.txt': Buffer.from('Recorded in May.'),
    'Soul_Drums/.DS_Store': Buffer.from('x'),
    'Felt Keys/Warm_90bpm_Cmin.mid': midi,
    'Felt Keys/Warm_90bpm_Cmin stems.zip': await stemsOf('left.wav', 'right.wav'),
    'Felt Keys/Warm_90bpm_Cmin.wav': wavOf({ seconds: 2, hertz: 131 }),
    'Felt Keys/Loops/Cold.wav': wavOf({ seconds: 1, hertz: 147 }),
    'Felt Keys/Not a sound.wav': await cover('#3a3'),
    ...(manifest !== undefined && { 'offcut.csv': Buffer.from(manifest) }),
  };
  for (let n = 1; n <= 8; n += 1)
    files[`Soul_Drums/Hit_${n}.wav`] = wavOf({ seconds: 1, hertz: 200 + n * 30, rateHz: 22_050 });
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}
