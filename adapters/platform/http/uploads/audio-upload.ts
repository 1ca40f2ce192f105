import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { ReceivedFile } from '../../../../application/publishing/samples/audio-intake.js';
import { cleanFileName, writeTemporary } from '../../../../application/publishing/samples/temporary-files.js';
import { ProblemException } from '../problem-exception.js';
import type { HttpRequest } from '../request.js';

export interface FileUpload {
  /** Absent if the upload has no such part. */
  file: ReceivedFile | undefined;
  /** Other parts, by name. */
  fields: Record<string, string>;
}

export interface FileUploadOptions {
  /** The name of the part with the file. */
  part: string;
  /** The folder for temporary files; created if it is missing. */
  folder: string;
  limitBytes: number;
  onProgress?: (receivedBytes: number, totalBytes: number) => void;
}

/**
 * Streams the file of a multipart upload to a temporary file and hashes it. Any failure removes the temporary file.
 * After success the caller must remove it.
 * @throws ProblemException AudioTooLarge, UploadInterrupted, UnsupportedMediaType, InvalidRequest
 */
export async function receiveFile(request: HttpRequest, options: FileUploadOptions): Promise<FileUpload> {
  const parser = parserFor(request, options.limitBytes);
  const fields: Record<string, string> = {};
  const files: Array<Promise<ReceivedFile>> = [];
  let fail: (reason: unknown) => void;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  const totalBytes = Number(request.headers['content-length']) || 0;
  parser.on('field', (name, value) => {
    if (Object.keys(fields).length < 10) fields[name] = value;
  });
  parser.on('file', (name, stream, { filename }) => {
    // A form that ends early fails in each open part. Without a listener the error would end the process.
    stream.on('error', () => {});
    if (name !== options.part || files.length > 0) return void stream.resume();
    const received = writeFile(stream, cleanFileName(filename), options, totalBytes);
    // After a failure the file is not read further, so the form would never end by itself.
    received.catch(fail);
    files.push(received);
  });
  try {
    await Promise.race([parse(request, parser), failed]);
    return { file: await files[0], fields };
  } catch (error) {
    // Read and drop the rest, so that the refusal reaches the browser.
    request.unpipe(parser);
    request.resume();
    parser.destroy();
    for (const each of await Promise.allSettled(files)) {
      if (each.status === 'fulfilled') await rm(each.value.path, { force: true });
      else if (each.reason instanceof ProblemException) throw each.reason;
    }
    throw error instanceof ProblemException ? error : new ProblemException('UploadInterrupted');
  }
}

function parse(request: HttpRequest, parser: busboy.Busboy): Promise<void> {
  return new Promise((resolve, reject) => {
    const interrupted = (): void => reject(new ProblemException('UploadInterrupted'));
    parser.once('close', resolve);
    parser.on('error', (error: Error) => {
      if (error.message.startsWith('Unexpected end')) return interrupted();
      reject(new ProblemException('InvalidRequest', { detail: 'The multipart body cannot be read.' }));
    });
    request.once('aborted', interrupted);
    request.once('error', interrupted);
    request.pipe(parser);
  });
}

async function writeFile(
  stream: Readable & { truncated?: boolean },
  filename: string,
  { folder, limitBytes, onProgress }: FileUploadOptions,
  totalBytes: number,
): Promise<ReceivedFile> {
  const written = await writeTemporary(stream, folder, (sizeBytes) => {
    if (sizeBytes > limitBytes) throw new ProblemException('AudioTooLarge', { limitBytes });
    onProgress?.(sizeBytes, totalBytes);
  });
  if (!stream.truncated) return { ...written, filename };
  await rm(written.path, { force: true });
  throw new ProblemException('AudioTooLarge', { limitBytes });
}

function parserFor(request: HttpRequest, limitBytes: number): busboy.Busboy {
  if (!/^multipart\/form-data/i.test(request.headers['content-type'] ?? ''))
    throw new ProblemException('UnsupportedMediaType', { detail: 'Send the file as multipart/form-data.' });
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      // One byte above the limit shows that the file is too large.
      limits: { files: 2, fields: 10, fieldSize: 16_384, parts: 12, fileSize: limitBytes + 1 },
    });
  } catch {
    throw new ProblemException('InvalidRequest', { detail: 'The multipart body has no boundary.' });
  }
}
