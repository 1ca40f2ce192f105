import { PassThrough, pipeline, type Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { Archiver, type Archive, type ArchiveEntry } from '../../application/ports/archive.js';

/** ZIP archives of stored entries: their size is known before the first byte. */
export class YazlArchiver extends Archiver {
  override async pack(entries: readonly ArchiveEntry[]): Promise<Archive> {
    const zip = new ZipFile();
    const body = new PassThrough();
    let open: Readable | undefined;
    let gone = false;
    for (const entry of entries) {
      const options = { mtime: entry.modifiedAt, compress: false };
      if ('bytes' in entry) zip.addBuffer(entry.bytes, entry.name, options);
      else
        zip.addReadStreamLazy(entry.name, { ...options, size: entry.sizeBytes }, (callback) => {
          // Nobody reads any more: the next file stays closed.
          if (gone) return;
          entry.open().then(
            (stream) => {
              open = stream;
              if (gone) stream.destroy();
              // A file that breaks off must break the archive, never end it as if it were whole.
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
    const sizeBytes = await new Promise<number>((resolve) => {
      // The declarations leave out the argument that the callback gets.
      const sized: (sizeBytes?: number) => void = (size) => resolve(size as number);
      zip.end({ forceZip64Format: false, comment: '' }, sized);
    });
    // Errors reach whoever reads `body`.
    pipeline(zip.outputStream, body, () => {});
    return { body, sizeBytes };
  }
}
