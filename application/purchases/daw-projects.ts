import { fitOf, type Project } from '../../domain/catalogue/fit.js';
import { loopLengthOf } from '../../domain/catalogue/loop.js';
import { dawProjectMetadata, dawProjectXml } from '../../domain/library/daw-project.js';
import { reaperProject } from '../../domain/library/reaper-project.js';
import { gridBeatsOf, type Song, type SongTrack } from '../../domain/library/song.js';
import type { Lane } from '../../domain/library/workbench.js';
import { PROJECT_TEMPO_MAX, PROJECT_TEMPO_MIN } from '../catalogue/values.js';
import { GENRE_INKS, INK } from '../media/covers/inks.js';
import type { ArchiveEntry } from '../storage/archive.js';
import type { ArchivedSample } from './archive-contents.js';
import type { DawProject } from './contract.js';

/**
 * A project of a DAW. Each lane of a workbench becomes a
 * track. Without lanes, each sample becomes a track that plays once.
 */
export type DawProjectOrder = DawProject & { lanes?: readonly Lane[] };

/** The endings of archives that are projects. DAWs open a `.dawproject` archive without unpacking. */
export const PROJECT_ENDINGS = { dawproject: '.dawproject', rpp: ' (REAPER).zip' } as const;

const USUAL_TEMPO = 120;
const GROUNDS = new Map<string, string>(
  Object.entries(GENRE_INKS).map(([genre, [ground]]) => [genre, ground]),
);

/** Returns the files that make an archive of samples a project of a DAW. */
export function projectEntries(
  order: DawProjectOrder,
  name: string,
  samples: readonly ArchivedSample[],
  modifiedAt: Date,
): ArchiveEntry[] {
  const song = songOf(order, name, samples);
  const texts =
    order.format === 'rpp'
      ? { [`${name}.rpp`]: reaperProject(song) }
      : {
          'project.xml': dawProjectXml(song),
          'metadata.xml': dawProjectMetadata(song, 'The folder certificates contains the licences.'),
        };
  return Object.entries(texts).map(([name, text]) => ({ name, modifiedAt, bytes: Buffer.from(text) }));
}

function songOf(order: DawProjectOrder, name: string, samples: readonly ArchivedSample[]): Song {
  const { key, timeSignature, lanes } = order;
  const tempo = order.tempo ?? firstTempo(samples);
  const tracks = lanes
    ? lanes.map((lane) => ({ lane, sample: samples.find(({ file }) => file.sampleId === lane.sampleId) }))
    : samples.map((sample) => ({ lane: null, sample }));
  return {
    name,
    tempo,
    timeSignature,
    tracks: tracks.flatMap(({ lane, sample }) => (sample ? trackOf(lane, sample, { tempo, key }) : [])),
  };
}

function firstTempo(samples: readonly ArchivedSample[]): number {
  const tempo = samples.find(({ file }) => file.bpm > 0)?.file.bpm ?? USUAL_TEMPO;
  return Math.min(PROJECT_TEMPO_MAX, Math.max(PROJECT_TEMPO_MIN, tempo));
}

function trackOf(lane: Lane | null, { file, sound }: ArchivedSample, project: Project): SongTrack[] {
  if (!sound) return [];
  const { time, rate, semitones } = fitOf(file, project);
  const loop = loopLengthOf(file);
  const track: SongTrack = {
    name: file.title,
    path: sound.path,
    seconds: file.durationMs / 1_000,
    channels: file.channels,
    sampleRateHz: file.sampleRateHz,
    colour: GROUNDS.get(file.genre) ?? INK.paper,
    gainDb: lane?.gainDb ?? 0,
    pan: lane?.pan ?? 0,
    isMuted: lane?.mute ?? false,
    isInTempo: time !== 'none',
    // Calculates the rate from the length of the loop, so that it keeps the beat of the project even if the stored
    // tempo is rounded.
    rate: loop ? (rate * loop.seconds * file.bpm) / (loop.beats * 60) : rate,
    semitones: semitones + (lane?.semitones ?? 0),
    offsetBeats: lane?.offsetBeats ?? 0,
    cycleBeats: lane?.loopBeats ?? null,
  };
  if (lane?.loopBeats === null && loop)
    track.cycleBeats = gridBeatsOf({ ...track, seconds: loop.seconds }, project);
  return [track];
}
