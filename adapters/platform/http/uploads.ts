import busboy from 'busboy';
import type { Readable } from 'node:stream';
import {
  cleanFileName,
  type ReceivedFile,
  type WorkingFiles,
} from '../../../application/publishing/samples/working-files.js';
import { isMultipart, ProblemException, type HttpRequest } from './request.js';

interface FileUploadOptions {
  part: string;
  files: WorkingFiles;
  limitBytes: number;
  onProgress?: (receivedBytes: number, totalBytes: number) => void;
}

/** Streams the uploaded file to a temporary file and hashes it. After success the caller must remove that file. */
export async function receiveFile(request: HttpRequest, options: FileUploadOptions) {
  // The parser cuts the file one byte above our limit, which shows that the file is too large.
  const limits = { files: 2, fieldSize: 16_384, fileSize: options.limitBytes + 1 };
  const parser = parserFor(request, 'file', limits);
  const fields: Record<string, string> = {};
  const files: Array<Promise<ReceivedFile>> = [];
  let fail: (reason: unknown) => void;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  const totalBytes = Number(request.headers['content-length']) || 0;
  parser.on('field', (name, value) => {
    if (Object.keys(fields).length < 10) fields[name] = value;
  });
  parser.on('file', (name, stream, { filename }) => {
    // If the form ends early, each open part emits an error, which would end the process without a listener.
    stream.on('error', () => {});
    if (name !== options.part || files.length > 0) return void stream.resume();
    const received = writeFile(stream, cleanFileName(filename), options, totalBytes);
    // After a failure, the rest of the file is not read and the form never ends, so fail at once.
    received.catch(fail);
    files.push(received);
  });
  try {
    await Promise.race([parse(request, parser), failed]);
    return { file: await files[0], fields };
  } catch (error) {
    // Read and drop the rest of the request, so that the browser receives the refusal.
    request.unpipe(parser);
    request.resume();
    parser.destroy();
    for (const each of await Promise.allSettled(files)) {
      if (each.status === 'fulfilled') await options.files.remove(each.value.path);
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
  { files, limitBytes, onProgress }: FileUploadOptions,
  totalBytes: number,
): Promise<ReceivedFile> {
  const written = await files.write(stream, (sizeBytes) => {
    if (sizeBytes > limitBytes) throw new ProblemException('AudioTooLarge', { limitBytes });
    onProgress?.(sizeBytes, totalBytes);
  });
  if (!stream.truncated) return { ...written, filename };
  await files.remove(written.path);
  throw new ProblemException('AudioTooLarge', { limitBytes });
}

function parserFor(request: HttpRequest, what: 'file' | 'image', limits: busboy.Limits): busboy.Busboy {
  if (!isMultipart(request))
    throw new ProblemException('UnsupportedMediaType', {
      detail: `Send the ${what} as multipart/form-data.`,
    });
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: { fields: 10, parts: 12, ...limits },
    });
  } catch {
    throw new ProblemException('InvalidRequest', { detail: 'The multipart body has no boundary.' });
  }
}

/** Reads the one file of a multipart upload into memory. Ignores other parts. */
export async function readImageUpload(request: HttpRequest, limitBytes: number): Promise<Buffer> {
  // The parser refuses a file that reaches its limit, so one more byte admits a file of exactly our limit.
  const parser = parserFor(request, 'image', { files: 1, fieldSize: 1_024, fileSize: limitBytes + 1 });
  return new Promise((resolve, reject) => {
    let bytes: Buffer | undefined;
    const fail = (problem: ProblemException) => {
      request.unpipe(parser);
      // Read and drop the rest of the request, so that the browser receives the refusal.
      request.resume();
      reject(problem);
    };
    parser.on('file', (_field, file) => {
      const chunks: Buffer[] = [];
      file.on('data', (chunk: Buffer) => chunks.push(chunk));
      // If the form ends early, the file emits an error, which would end the process without a listener.
      file.on('error', () => fail(new ProblemException('UploadInterrupted')));
      file.on('limit', () => fail(new ProblemException('ImageTooLarge', { limitBytes })));
      file.on('close', () => {
        if (!file.truncated) bytes = Buffer.concat(chunks);
      });
    });
    parser.on('error', () => fail(new ProblemException('UploadInterrupted')));
    parser.on('close', () => {
      if (bytes) resolve(bytes);
      else
        reject(
          new ProblemException('InvalidRequest', {
            errors: [{ path: 'image', message: 'Send an image file' }],
          }),
        );
    });
    request.once('aborted', () => fail(new ProblemException('UploadInterrupted')));
    request.pipe(parser);
  });
}
