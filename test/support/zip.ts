import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/**
 * Returns the stored entries of a ZIP archive by name, in the order of its central directory.
 * @throws for a broken archive
 */
export function readZip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw new Error('not a whole ZIP archive');
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  const entries = new Map<string, Buffer>();
  for (let n = 0; n < count; n += 1) {
    if (archive.readUInt32LE(at) !== 0x02014b50) throw new Error('no directory entry');
    if (archive.readUInt16LE(at + 10) !== 0) throw new Error('a compressed entry');
    const sizeBytes = archive.readUInt32LE(at + 20);
    const [name, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const path = archive.toString('utf8', at + 46, at + 46 + name);
    if (entries.has(path)) throw new Error(`${path} is there twice`);
    entries.set(path, archive.subarray(start, start + sizeBytes));
    at += 46 + name + extra + comment;
  }
  return entries;
}

/** Returns a compressed ZIP archive of these files. */
export async function makeZip(files: Record<string, Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(bytes, name, { mtime: new Date(0) });
  zip.end();
  return buffer(zip.outputStream);
}

/** Returns an archive of stems, which are recognised as WAV by their first bytes. */
export const makeStems = (...contents: Buffer[]): Promise<Buffer> =>
  makeZip(
    Object.fromEntries(
      contents.map((content, at) => [
        `stem ${at + 1}.wav`,
        Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), content]),
      ]),
    ),
  );
