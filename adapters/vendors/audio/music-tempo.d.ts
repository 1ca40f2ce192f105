declare module 'music-tempo' {
  /** Beat tracking after BeatRoot. Throws if it finds no rhythm. */
  export default class MusicTempo {
    constructor(samples: Float32Array, options: { bufferSize: number; hopSize: number; timeStep: number });
    /** Beats per minute, as text. */
    readonly tempo: string;
    /** How strongly a sound begins at each hop, normalised to mean 0 and deviation 1. */
    readonly spectralFlux: number[];
  }
}
