import { FileRefused } from './limits.js';

const END_BYTES = 22;
const COMMENT_LIMIT = 65_535;
const DIRECTORY_LIMIT = 4 * 2 ** 20;
const ENTRY_BYTES = 46;
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL_HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

const BROKEN = 'The ZIP file is damaged.';

const viewOf = async (part: Blob): Promise<DataView> => new DataView(await part.arrayBuffer());

/** Returns the expanded bytes of a file in a ZIP archive; undefined if the archive has no file of this name. */
export async function fileInZip(
  zip: Blob,
  name: string,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | undefined> {
  const tail = await viewOf(zip.slice(Math.max(0, zip.size - END_BYTES - COMMENT_LIMIT)));
  let end = tail.byteLength - END_BYTES;
  while (end >= 0 && tail.getUint32(end, true) !== END) end -= 1;
  if (end < 0) throw new FileRefused(BROKEN);
  const [length, start] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  if (length > DIRECTORY_LIMIT || start + length > zip.size) throw new FileRefused(BROKEN);
  const directory = await viewOf(zip.slice(start, start + length));
  for (let at = 0; at + ENTRY_BYTES <= directory.byteLength;) {
    if (directory.getUint32(at, true) !== ENTRY) throw new FileRefused(BROKEN);
    const nameBytes = directory.getUint16(at + 28, true);
    const nameEnd = at + ENTRY_BYTES + nameBytes;
    if (nameEnd > directory.byteLength) throw new FileRefused(BROKEN);
    const entryName = new TextDecoder().decode(
      new Uint8Array(directory.buffer, directory.byteOffset + at + ENTRY_BYTES, nameBytes),
    );
    if (entryName === name)
      return contentAt(zip, {
        method: directory.getUint16(at + 10, true),
        bytes: directory.getUint32(at + 20, true),
        header: directory.getUint32(at + 42, true),
      });
    at = nameEnd + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
  }
  return undefined;
}

async function contentAt(
  zip: Blob,
  { method, bytes, header }: { method: number; bytes: number; header: number },
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  if (header + LOCAL_HEADER_BYTES > zip.size) throw new FileRefused(BROKEN);
  const local = await viewOf(zip.slice(header, header + LOCAL_HEADER_BYTES));
  const start = header + LOCAL_HEADER_BYTES + local.getUint16(26, true) + local.getUint16(28, true);
  const content = zip.slice(start, start + bytes).stream();
  if (method === STORED) return content;
  if (method === DEFLATED) return content.pipeThrough(new DecompressionStream('deflate-raw'));
  throw new FileRefused('The ZIP file is encrypted or packed in an unknown way.');
}
