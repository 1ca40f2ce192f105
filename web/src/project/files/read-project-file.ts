import { NOTES_BY_SEMITONES } from './keys.js';
import { FILE_LIMIT_BYTES, FileRefused } from './limits.js';
import type { ProjectValues } from './project-values.js';
import { readMidi } from './read-midi.js';
import { fileInZip } from './read-zip.js';
import { scanText } from './scan-text.js';

export type ReadFile = { values: ProjectValues } | { problem: string };

/**
 * Ableton Live stores a time signature as one number: the numerator minus 1, plus 99 for each doubling of the
 * denominator.
 */
const signatureOfLive = (value: number): string => `${(value % 99) + 1}/${2 ** Math.floor(value / 99)}`;

const LIVE = {
  root: /<Ableton\b/,
  tempo: /<Tempo>\s*(?:<LomId[^<>]*>\s*)?<Manual Value="([\d.]+)"/,
  signature: /<TimeSignature>\s*(?:<LomId[^<>]*>\s*)?<Manual Value="(\d+)"/,
  // The scale of the set. `InKey` is false if the scale is off. Clips have scales too, but no `InKey` follows those.
  scale:
    /<ScaleInformation>\s*<Root(?:Note)? Value="(\d+)"\s*\/>\s*<Name Value="(0|1|Major|Minor)"\s*\/>\s*<\/ScaleInformation>\s*<InKey Value="true"/,
};

async function readLive(file: Blob): Promise<ProjectValues> {
  const text = file.stream().pipeThrough(new DecompressionStream('gzip'));
  const { root, tempo, signature, scale } = await scanText(text, LIVE);
  if (!root) throw new FileRefused('This is not an Ableton Live set.');
  const note = scale && NOTES_BY_SEMITONES[Number(scale[1])];
  const isMinor = scale?.[2] === '1' || scale?.[2] === 'Minor';
  return {
    ...(tempo && { tempo: Number(tempo[1]) }),
    ...(signature && { timeSignature: signatureOfLive(Number(signature[1])) }),
    ...(note && { key: `${note} ${isMinor ? 'Minor' : 'Major'}` }),
  };
}

async function readDawProject(file: Blob): Promise<ProjectValues> {
  const text = await fileInZip(file, 'project.xml');
  if (!text) throw new FileRefused('The ZIP file contains no DAWproject.');
  const { tempo, signature } = await scanText(text, {
    tempo: /<Tempo\b[^<>]*>/,
    signature: /<TimeSignature\b[^<>]*>/,
  });
  const valueOf = (tag: RegExpExecArray | undefined, name: string) =>
    new RegExp(`\\s${name}="([\\d.]+)"`).exec(tag?.[0] ?? '')?.[1];
  const [bpm, above, below] = [
    valueOf(tempo, 'value'),
    valueOf(signature, 'numerator'),
    valueOf(signature, 'denominator'),
  ];
  return {
    ...(bpm && { tempo: Number(bpm) }),
    ...(above && below && { timeSignature: `${above}/${below}` }),
  };
}

async function readReaper(file: Blob): Promise<ProjectValues> {
  const { line } = await scanText(file.stream(), { line: /^\s*TEMPO ([\d.]+) (\d+) (\d+)/m });
  return line ? { tempo: Number(line[1]), timeSignature: `${line[2]}/${line[3]}` } : {};
}

const FORMATS: readonly [mark: string, read: (file: Blob) => ProjectValues | Promise<ProjectValues>][] = [
  ['\u001f\u008b', readLive],
  ['PK', readDawProject],
  ['MThd', async (file) => readMidi(new Uint8Array(await file.arrayBuffer()))],
  ['<REAPER_PROJECT', readReaper],
];

async function read(file: Blob): Promise<ProjectValues> {
  if (file.size > FILE_LIMIT_BYTES) throw new FileRefused('The file is larger than 64 MB.');
  const start = String.fromCharCode(...new Uint8Array(await file.slice(0, 16).arrayBuffer()));
  const format = FORMATS.find(([mark]) => start.startsWith(mark));
  if (!format) throw new FileRefused('This is not an Ableton, REAPER, DAWproject or MIDI file.');
  return format[1](file);
}

/** Reads tempo, key and time signature of a project file in the browser. Recognizes the format by the first bytes. */
export async function readProjectFile(file: Blob): Promise<ReadFile> {
  try {
    const values = await read(file);
    return Object.keys(values).length > 0
      ? { values }
      : { problem: 'The file has no tempo, key or time signature.' };
  } catch (error) {
    return { problem: error instanceof FileRefused ? error.message : 'The file is damaged.' };
  }
}
