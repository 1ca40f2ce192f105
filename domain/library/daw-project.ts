import { element, escaped, type Attributes } from '../shared/markup.js';
import { amplitudeOf, barOf, beatsOf, piecesOf, type Song, type SongTrack } from './song.js';

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const MASTER = 'master-channel';

/**
 * Returns `project.xml` of a DAWproject 1.0: https://github.com/bitwig/dawproject
 * Repeats are clips of their own, because not every DAW repeats audio inside a clip.
 */
export function dawProjectXml(song: Song): string {
  const { numerator, denominator } = barOf(song);
  const lanes = song.tracks.map((track, n) => laneOf(track, song, `track-${n + 1}`));
  return (
    XML +
    element(
      'Project',
      { version: '1.0' },
      element('Application', { name: 'Offcut', version: '1.0' }),
      element(
        'Transport',
        {},
        element('Tempo', { unit: 'bpm', min: 20, max: 666, value: song.tempo, id: 'tempo', name: 'Tempo' }),
        element('TimeSignature', { numerator, denominator, id: 'time-signature' }),
      ),
      element('Structure', {}, ...song.tracks.map((track, n) => trackOf(track, `track-${n + 1}`)), master()),
      element('Arrangement', {}, element('Lanes', { timeUnit: 'beats' }, ...lanes)),
    )
  );
}

export function dawProjectMetadata({ name }: Pick<Song, 'name'>, comment: string): string {
  return XML + element('MetaData', {}, text('Title', name), text('Comment', comment));
}

const text = (name: string, content: string): string => element(name, {}, escaped(content));

function trackOf(track: SongTrack, id: string): string {
  const { name, colour, semitones } = track;
  // A DAW that ignores the shift of a clip still shows the comment.
  const comment = semitones === 0 ? undefined : `Shifted by ${semitones} semitones`;
  const attributes = { id, name, color: colour, comment, contentType: 'audio', loaded: true };
  const channel = { id: `${id}-channel`, role: 'regular', destination: MASTER, audioChannels: 2 };
  return element('Track', attributes, mixer(channel, track));
}

const master = (): string =>
  element(
    'Track',
    { id: 'master', name: 'Master', contentType: 'audio notes', loaded: true },
    mixer({ id: MASTER, role: 'master', audioChannels: 2 }, { gainDb: 0, pan: 0, isMuted: false }),
  );

function mixer(channel: Attributes, level: Pick<SongTrack, 'gainDb' | 'pan' | 'isMuted'>): string {
  const pan = { unit: 'normalized', min: 0, max: 1, value: (level.pan + 1) / 2, name: 'Pan' };
  const volume = { unit: 'linear', min: 0, max: 2, value: amplitudeOf(level), name: 'Volume' };
  return element(
    'Channel',
    channel,
    element('Mute', { value: level.isMuted, name: 'Mute' }),
    element('Pan', pan),
    element('Volume', volume),
  );
}

function laneOf(track: SongTrack, song: Song, id: string): string {
  const { name, isInTempo, semitones } = track;
  const sound = isInTempo ? warped(track, beatsOf(track, song)) : audio(track);
  const timeUnit = isInTempo ? 'beats' : 'seconds';
  const content = semitones === 0 ? sound : element('Lanes', { timeUnit }, sound, shift(semitones));
  const clips = piecesOf(track, song).map(({ atBeat, beats }) => {
    const playStop = isInTempo ? beats : (beats * 60) / song.tempo;
    const times = { time: atBeat, duration: beats, contentTimeUnit: timeUnit, playStart: 0, playStop };
    return element('Clip', { name, ...times }, content);
  });
  return element('Lanes', { track: id }, element('Clips', {}, ...clips));
}

const audio = ({ path, seconds, sampleRateHz, channels }: SongTrack): string =>
  element(
    'Audio',
    { duration: seconds, sampleRate: sampleRateHz, channels, timeUnit: 'seconds' },
    element('File', { path }),
  );

const warped = (track: SongTrack, beats: number): string =>
  element(
    'Warps',
    { timeUnit: 'beats', contentTimeUnit: 'seconds' },
    audio(track),
    element('Warp', { time: 0, contentTime: 0 }),
    element('Warp', { time: beats, contentTime: track.seconds }),
  );

const shift = (semitones: number): string =>
  element(
    'Points',
    { unit: 'semitones' },
    element('Target', { expression: 'transpose' }),
    element('RealPoint', { time: 0, value: semitones, interpolation: 'hold' }),
  );
