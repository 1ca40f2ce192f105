import type { Readable } from 'node:stream';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { StemsArchives } from '../../../application/publishing/samples/attach-file.js';
import {
  isMacosFile,
  judgeStems,
  STEMS_LIMIT_FILES,
  type StemsEntry,
  type StemsRefused,
} from '../../../domain/publishing/stems.js';

const UNIX_LINK = 0o12;
const HEAD_BYTES = 12;
/** The first bytes of WAV, AIFF, FLAC, Ogg, M4A and MP3 files. */
const AUDIO_HEAD = /^(RIFF|RF64|BW64|FORM|fLaC|OggS|ID3|....ftyp|\xff[\xe2-\xff])/s;
/** The first bytes of the files in which macOS keeps attributes. */
const APPLE_DOUBLE = '\x00\x05\x16\x07';

/** Allows more entries than files, because archives also contain folders. `judgeStems` later counts the files. */
const ENTRIES_MAX = 4 * STEMS_LIMIT_FILES;

export class YauzlStemsArchives implements StemsArchives {
  async check(path: string): Promise<StemsRefused | undefined> {
    try {
      const zip = await openPromise(path, {
        autoClose: false,
        strictFileNames: true,
        validateEntrySizes: true,
      });
      try {
        return await checkZip(zip);
      } finally {
        zip.close();
      }
    } catch (error) {
      // yauzl refuses unsafe names, wrong sizes and a damaged structure. Its messages are in English.
      return refused(`The archive cannot be read: ${(error as Error).message}`);
    }
  }
}

async function checkZip(zip: ZipFile): Promise<StemsRefused | undefined> {
  if (zip.entryCount > ENTRIES_MAX) return refused(`The archive holds more than ${STEMS_LIMIT_FILES} files`);
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  const judged = judgeStems(entries.map(described), zip.fileSize);
  if (!judged.accepted) return judged.rejection;
  for (const entry of entries.filter(({ fileName }) => !fileName.endsWith('/'))) {
    const local = await zip.readLocalFileHeaderPromise(entry);
    // Programs that read an archive as a stream use the name before the file's data, so both names must be equal.
    if (!local.fileName.equals(entry.fileNameRaw)) return refused(`“${entry.fileName}” has two names`);
    const head = await readWhole(await zip.openReadStreamPromise(entry));
    const isExpected = isMacosFile(entry.fileName)
      ? entry.fileName.endsWith('.DS_Store') || head.startsWith(APPLE_DOUBLE)
      : AUDIO_HEAD.test(head);
    if (!isExpected) return refused(`“${entry.fileName}” is not an audio file, despite its name`);
  }
  return undefined;
}

const described = (entry: Entry): StemsEntry => ({
  name: entry.fileName,
  unpackedBytes: entry.uncompressedSize,
  isEncrypted: entry.isEncrypted(),
  isLink: entry.externalFileAttributes >>> 28 === UNIX_LINK,
});

/** Reads a file to its end, so that yauzl checks its size. @returns its first bytes */
async function readWhole(stream: Readable): Promise<string> {
  let head = '';
  for await (const chunk of stream as AsyncIterable<Buffer>)
    if (head.length < HEAD_BYTES) head += chunk.toString('latin1', 0, HEAD_BYTES);
  return head;
}

const refused = (detail: string): StemsRefused => ({ code: 'StemsRefused', detail });
