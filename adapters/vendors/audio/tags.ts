import { ADTS, FilePathSource, Input, Logging, LogLevel, MP3, MP4, WAVE } from 'mediabunny';

export interface AudioTags {
  title?: string | undefined;
  bpm?: number | undefined;
  /** As its writer spelled it. */
  key?: string | undefined;
}

// Its remarks on odd files would stand between the lines of the commands.
Logging.level = LogLevel.Silent;

/** What the file says of itself: ID3, INFO of a WAV, iTunes' atoms. Nothing when it cannot be read. */
export async function readTags(path: string): Promise<AudioTags> {
  const source = new FilePathSource(path, { handleUnhandledError: () => undefined });
  const input = new Input({ source, formats: [WAVE, MP4, ADTS, MP3] });
  try {
    const { title, beatsPerMinute, raw } = await input.getMetadataTags();
    return { title, bpm: beatsPerMinute, key: typeof raw?.TKEY === 'string' ? raw.TKEY : undefined };
  } catch {
    // Tags of a broken file are no reason to stop: the analysis will say what is wrong with it.
    return {};
  } finally {
    input.dispose();
  }
}
