import { PassThrough, Readable, pipeline } from 'node:stream';
import { ZipFile } from 'yazl';
import { Archiver, type Archive, type ArchiveEntry } from '../../../application/storage/archive.js';

/** Creates ZIP archives without compression. The size is known in advance if all entries have a known size. */
export class YazlArchiver implements Archiver {
  async pack(entries: readonly ArchiveEntry[]): Promise<Archive> {
    const zip = new ZipFile();
    const body = new PassThrough();
    let open: Readable | undefined;
    let gone = false;
    // A file may fail before `body` has a reader, and Node throws an error event without a listener. The reader still
    // gets the error later.
    body.on('error', () => {});
    // Connects the streams before the first file opens, because a failed stream can no longer be connected.
    pipeline(zip.outputStream, body, () => {});
    for (const entry of entries) {
      const options = { mtime: entry.modifiedAt, compress: false };
      if ('bytes' in entry) zip.addBuffer(entry.bytes, entry.name, options);
      else
        zip.addReadStreamLazy(entry.name, { ...options, ...sizeOf(entry) }, (callback) => {
          // The client has gone away, so the next file is not opened.
          if (gone) return;
          opened(entry).then(
            (stream) => {
              open = stream;
              if (gone) stream.destroy();
              // A failed file must break the archive, so that the archive does not look complete.
              stream.once('error', (error) => body.destroy(error));
              callback(null, stream);
            },
            (error: Error) => body.destroy(error),
          );
        });
    }
    body.once('close', () => {
      gone = true;
      open?.destroy();
    });
    zip.on('error', (error: Error) => body.destroy(error));
    const predictable = entries.every((entry) => 'bytes' in entry || 'size' in sizeOf(entry));
    const sizeBytes = await new Promise<number | undefined>((resolve) => {
      // yazl's type declarations omit the argument of this callback.
      const sized: (sizeBytes?: number) => void = resolve;
      zip.end({ forceZip64Format: false, comment: '' }, predictable ? sized : undefined);
      if (!predictable) resolve(undefined);
    });
    return { body, sizeBytes };
  }
}

type Streamed = Exclude<ArchiveEntry, { bytes: Buffer }>;

const sizeOf = (entry: Streamed): { size?: number } =>
  'make' in entry || entry.sizeBytes === undefined ? {} : { size: entry.sizeBytes };

const opened = async (entry: Streamed): Promise<Readable> =>
  'make' in entry ? Readable.from([await entry.make()]) : entry.open();
