import { ADTS, FilePathSource, Input, Logging, LogLevel, MP3, MP4, WAVE } from 'mediabunny';

export interface AudioTags {
  title?: string | undefined;
  bpm?: number | undefined;
  /** As its writer spelled it. */
  key?: string | undefined;
}

// Its warnings about odd files would appear between the lines of the commands.
Logging.level = LogLevel.Silent;

/** The file's own tags: ID3, INFO of a WAV, iTunes' atoms. Empty if they cannot be read. */
export async function readTags(path: string): Promise<AudioTags> {
  const source = new FilePathSource(path, { handleUnhandledError: () => undefined });
  const input = new Input({ source, formats: [WAVE, MP4, ADTS, MP3] });
  try {
    const { title, beatsPerMinute, raw } = await input.getMetadataTags();
    return { title, bpm: beatsPerMinute, key: typeof raw?.TKEY === 'string' ? raw.TKEY : undefined };
  } catch {
    // Unreadable tags are no reason to stop; the analysis reports what is wrong with the file.
    return {};
  } finally {
    input.dispose();
  }
}
