import { place, RATE } from './stereo.js';
import { CONTROL, span, type Voice } from './voice.js';
import { sine } from './waves.js';

/** An electric piano by frequency modulation: a soft body and a short, bright tine. */
function electricPiano(settings: {
  bark: number;
  tine: number;
  ring: number;
  tremoloHz: number;
  tremolo: number;
}): Voice {
  return (out, note) => {
    const release = 0.16;
    const frames = span(out, note, release * 3);
    const high = Math.min(1, (note.frequencyHz / 261.6) ** 0.5);
    let envelope = 0;
    let body = 0;
    let tine = 0;
    let gainLeft = 1;
    let gainRight = 1;
    const start = note.random();
    const step = note.frequencyHz / RATE;
    let phase = 0;
    for (let i = 0; i < frames; i++) {
      if (i % CONTROL === 0) {
        const t = i / RATE;
        const off = t > note.seconds ? Math.exp(-(t - note.seconds) / (release * 0.4)) : 1;
        envelope =
          (0.62 * Math.exp((-t * 1.1 * high) / settings.ring) + 0.38 * Math.exp(-t * 5)) *
          off *
          Math.min(1, (t + 0.0007) * 380);
        body = settings.bark * note.velocity ** 1.6 * (0.35 + 1.1 * Math.exp(-t * 3.2)) * (1.2 - 0.5 * high);
        tine = settings.tine * note.velocity * Math.exp(-t * 14) * (1.15 - 0.6 * high);
        // The tremolo pans left and right by absolute time, so that the notes of a chord move together.
        const swing = sine(((note.at + i) / RATE) * settings.tremoloHz) * settings.tremolo;
        gainLeft = 1 - swing;
        gainRight = 1 + swing;
      }
      phase += step;
      const value =
        (sine((phase % 1) + (body * sine(phase % 1)) / 6.283) + tine * sine((phase * 14 + start) % 1) * 0.4) *
        envelope *
        (0.25 + 0.75 * note.velocity) *
        0.55;
      (out.left[note.at + i] as number) += value * gainLeft;
      (out.right[note.at + i] as number) += value * gainRight;
    }
  };
}

/** Sounds made of a few decaying partials: pianos, mallets, bells. */
interface Partial {
  ratio: number;
  level: number;
  /** Seconds until −60 dB. */
  ring: number;
}

function ringing(
  partialsOf: (frequencyHz: number, velocity: number) => Partial[],
  settings: {
    releaseSeconds: number;
    knock: number;
    tremoloHz?: number;
    width: number;
    gain: number;
  },
): Voice {
  return (out, note) => {
    const partials = partialsOf(note.frequencyHz, note.velocity);
    const longest = Math.max(...partials.map(({ ring }) => ring));
    const frames = Math.min(span(out, note, settings.releaseSeconds * 3), Math.round(longest * 1.1 * RATE));
    const sound = new Float32Array(Math.max(1, frames));
    for (const { ratio, level, ring } of partials) {
      const frequency = note.frequencyHz * ratio;
      if (frequency > 15_000) continue;
      // A rotating vector that shrinks needs one multiplication per frame, instead of a sine and a power.
      const decay = 10 ** (-3 / (ring * RATE));
      const cos = Math.cos((2 * Math.PI * frequency) / RATE) * decay;
      const sin = Math.sin((2 * Math.PI * frequency) / RATE) * decay;
      let x = level * Math.cos(note.random() * 0.6);
      let y = 0;
      for (let i = 0; i < frames; i++) {
        const turned = x * cos - y * sin;
        y = x * sin + y * cos;
        x = turned;
        (sound[i] as number) += y;
      }
    }
    let low = 0;
    const knockFrames = Math.min(frames, 700);
    for (let i = 0; i < knockFrames; i++) {
      low += (note.random() * 2 - 1 - low) * 0.25;
      (sound[i] as number) += low * settings.knock * note.velocity * (1 - i / 700) ** 3;
    }
    const released = Math.round(note.seconds * RATE);
    const fall = Math.exp(-1 / (settings.releaseSeconds * RATE));
    for (let i = released, fade = 1; i < frames; i++) (sound[i] as number) *= fade *= fall;
    if (settings.tremoloHz)
      for (let i = 0; i < frames; i++)
        (sound[i] as number) *= 0.82 + 0.18 * sine(((note.at + i) / RATE) * settings.tremoloHz);
    const register = Math.max(-1, Math.min(1, Math.log2(note.frequencyHz / 330) / 2.5));
    place(out, sound, note.at, settings.gain * (0.2 + 0.8 * note.velocity), register * settings.width);
  };
}

const piano = (felt: number): Voice =>
  ringing(
    (frequency, velocity) => {
      const stiff = 0.00035 * (frequency / 261.6) ** 1.4;
      const count = Math.min(18, Math.floor(9_000 / frequency) + 2);
      const slope = 1.15 + felt * 1.1 - velocity * 0.55;
      return Array.from({ length: count }, (_, i) => i + 1).flatMap((k) => {
        const ratio = k * Math.sqrt(1 + stiff * k * k);
        const level = (Math.abs(Math.sin(k * Math.PI * 0.13)) + 0.12) / k ** slope;
        const ring = 7.5 / (frequency / 130) ** 0.55 / (1 + k * 0.22);
        // Two slightly detuned strings beat against each other, as in a piano. The second string rings longer.
        return k > 8
          ? [{ ratio, level, ring }]
          : [
              { ratio, level: level * 0.7, ring },
              { ratio: ratio * 1.0006, level: level * 0.3, ring: ring * 1.6 },
            ];
      });
    },
    { releaseSeconds: 0.09, knock: 0.22 - felt * 0.08, width: 0.45, gain: 0.3 },
  );

const mallet = (
  modes: Array<[ratio: number, level: number, ring: number]>,
  settings: Parameters<typeof ringing>[1],
): Voice =>
  ringing(
    (frequency, velocity) =>
      modes.map(([ratio, level, ring], i) => ({
        ratio,
        level: level * (i === 0 ? 1 : 0.4 + 0.6 * velocity),
        ring: ring * (330 / frequency) ** 0.5,
      })),
    settings,
  );

// A table: a row is a voice, and each inner array a partial.
// oxfmt-ignore
export const KEYS_VOICES = {
  rhodes: electricPiano({ bark: 1.5, tine: 0.5, ring: 1.9, tremoloHz: 3.2, tremolo: 0.22 }),
  wurli: electricPiano({ bark: 2.6, tine: 0.16, ring: 1.1, tremoloHz: 5.6, tremolo: 0.12 }),
  piano: piano(0),
  feltPiano: piano(1),
  vibes: mallet([[1, 1, 5], [4, 0.22, 1.2], [10.2, 0.06, 0.3]], { releaseSeconds: 0.6, knock: 0.05, tremoloHz: 4.4, width: 0.8, gain: 0.55 }),
  kalimba: mallet([[1, 1, 1.5], [5.4, 0.25, 0.22], [8.9, 0.1, 0.1]], { releaseSeconds: 0.5, knock: 0.2, width: 0.7, gain: 0.6 }),
  bell: mallet([[0.5, 0.4, 5], [1, 0.8, 4], [1.19, 0.5, 3], [1.5, 0.25, 2.4], [2, 0.5, 2.4], [2.52, 0.2, 1.3], [3.01, 0.18, 1], [4.1, 0.12, 0.7]], { releaseSeconds: 1.5, knock: 0.05, width: 0.7, gain: 0.36 }),
  musicBox: mallet([[1, 1, 1.6], [3, 0.25, 0.6], [6.2, 0.2, 0.25]], { releaseSeconds: 0.9, knock: 0.06, width: 0.9, gain: 0.5 }),
} as const;
