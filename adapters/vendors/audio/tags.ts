import { ADTS, FilePathSource, Input, Logging, LogLevel, MP3, MP4, WAVE } from 'mediabunny';

export interface AudioTags {
  title?: string | undefined;
  bpm?: number | undefined;
  /** As written in the file. */
  key?: string | undefined;
}

// Without this, mediabunny's warnings about unusual files would appear in the output of commands.
Logging.level = LogLevel.Silent;

/** Reads tags from the file: ID3, WAV's INFO or iTunes atoms. Returns an empty object if they are unreadable. */
export async function readTags(path: string): Promise<AudioTags> {
  const source = new FilePathSource(path, { handleUnhandledError: () => undefined });
  const input = new Input({ source, formats: [WAVE, MP4, ADTS, MP3] });
  try {
    const { title, beatsPerMinute, raw } = await input.getMetadataTags();
    return { title, bpm: beatsPerMinute, key: typeof raw?.TKEY === 'string' ? raw.TKEY : undefined };
  } catch {
    return {};
  } finally {
    input.dispose();
  }
}
