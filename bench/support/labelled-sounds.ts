/** Sounds of Debian's packages, whose file names say what they are. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { openRecording, type Recording } from './copies.js';

export interface LabelledSound {
  name: string;
  label: string;
  kit: string;
  recording: Recording;
}

/** In this order: a file has the first label whose pattern its name matches. */
const LABELS: readonly (readonly [label: string, pattern: RegExp])[] = [
  ['clap', /clap/],
  ['cowbell', /cowbell|^cb2?_|^mc_cb/],
  ['tambourine', /tambourine/],
  ['shaker', /shake|maraca/],
  ['ride', /ride|^rd2?_|^rc_|^bell-|paistebell/],
  ['rim', /side ?stick|rimclick|^rim_|stick-rim|_rim0|^rim0/],
  [
    'hat',
    /hi?-?hat|^hh|(?<![a-z])hat|sabianhat|closehihat|openhat|_[co]hh|^[co]hh|^ho_|_hh_|cymbal_(closed|open|pedal)/,
  ],
  ['cymbal', /crash|splash|china|cymbal|^cc_|^cra_/],
  ['snare', /snare|(?<![a-z])sn\d?_|^s[dr]_/],
  ['tom', /(?<![a-z])tom|pearltom|floortom|^tm2?_|^ft_|^t[12]_/],
  ['kick', /kick|bass ?drum|^bd|_bd_|drum_bass|hse_k_/],
  ['agogo', /agogo/],
  ['conga', /conga/],
  ['bongo', /bongo/],
  ['djembe', /djembe/],
  ['tabla', /tabla/],
  ['cajon', /cajon/],
  ['wood', /woodblock|clave|clav0|wood0|_wood/],
];
/** Loops, drones and voices, whose names may contain the name of a drum. */
const UNLABELLED = /^(loop|ambi|mehackit|vinyl|misc|glitch|bass)_/;
const FOLDERS = [
  'usr/share/hydrogen/data/drumkits',
  'usr/share/lmms/samples/drums',
  'usr/share/sonic-pi/samples',
];
const AUDIO = new Set(['.wav', '.flac', '.ogg', '.aiff', '.aif']);

function labelOf(path: string): string | undefined {
  const name = basename(path, extname(path)).toLowerCase().split('__').at(-1) ?? '';
  return UNLABELLED.test(name) ? undefined : LABELS.find(([, pattern]) => pattern.test(name))?.[0];
}

/** @param roots where the packages were unpacked; `/` where they are installed */
export async function labelledSounds(roots: readonly string[], work: string): Promise<LabelledSound[]> {
  const folders = roots.flatMap((root) => FOLDERS.map((folder) => join(root, folder))).filter(existsSync);
  const paths = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => AUDIO.has(extname(name).toLowerCase()))
      .map((name) => join(folder, name)),
  );
  const sounds: LabelledSound[] = [];
  for (const path of paths.sort()) {
    const label = labelOf(path);
    if (label === undefined) continue;
    const wav = join(work, 'sound.wav');
    // Some files of lmms-common have Ogg Vorbis in a RIFF container, which ffmpeg cannot read.
    if (spawnSync('ffmpeg', ['-nostdin', '-v', 'quiet', '-y', '-i', path, '-ac', '1', wav]).status !== 0)
      continue;
    const recording = await openRecording(wav);
    sounds.push({ name: basename(path), label, kit: basename(dirname(path)), recording });
  }
  return sounds;
}
