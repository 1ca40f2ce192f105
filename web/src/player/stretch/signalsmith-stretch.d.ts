/** The members of the package that we use. The package has no types of its own. */
declare module 'signalsmith-stretch' {
  export interface StretchNode extends AudioWorkletNode {
    configure(blocks: { blockMs: number; intervalMs: number }): Promise<void>;
    addBuffers(channels: Float32Array[], transfer: Transferable[]): Promise<number>;
    dropBuffers(): Promise<unknown>;
    /** Schedules a change, and cancels all changes that were scheduled before. Times are in seconds. */
    schedule(change: {
      active: boolean;
      /** The time of the audio context at which the change takes effect. */
      output: number;
      /** The position in the buffers from which the node plays. */
      input?: number;
      rate?: number;
      semitones?: number;
      /** When transposed, all frequencies above this limit move by the same number of hertz; 0 for no limit. */
      tonalityHz?: number;
      /** If `loopStart` and `loopEnd` are equal, nothing repeats. */
      loopStart?: number;
      loopEnd?: number;
    }): Promise<unknown>;
    setUpdateInterval(seconds: number, onTime: () => void): Promise<void>;
  }
  export default function SignalsmithStretch(
    context: AudioContext,
    options: AudioWorkletNodeOptions,
  ): Promise<StretchNode>;
}

declare module 'signalsmith-stretch?url' {
  const address: string;
  export default address;
}
