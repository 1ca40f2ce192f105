/** How fingerprints are made; those of another way are made anew. */
export const ALGORITHM = 1;

/** One version of a sample's audio. */
export interface SampleVersion {
  sampleId: string;
  audioVersion: number;
}

/** What all sounds are recognised by, and which of them are alike. */
export abstract class KnownSounds {
  /** An older version than the one that is kept changes nothing. @param fingerprint null: there is too little in the sound */
  abstract keep(sound: SampleVersion, fingerprint: Uint8Array | null): Promise<void>;
}
