import busboy from 'busboy';
import { ProblemException } from '../problem-exception.js';
import type { HttpRequest } from '../request.js';

/**
 * Reads the one file of a multipart upload into memory. Ignores other parts.
 * @throws ProblemException ImageTooLarge, UploadInterrupted, UnsupportedMediaType, InvalidRequest (no file)
 */
export async function readImageUpload(request: HttpRequest, limitBytes: number): Promise<Buffer> {
  const parser = parserFor(request, limitBytes);
  return new Promise((resolve, reject) => {
    let bytes: Buffer | undefined;
    const fail = (problem: ProblemException) => {
      request.unpipe(parser);
      // Read and drop the rest, so that the refusal reaches the browser.
      request.resume();
      reject(problem);
    };
    parser.on('file', (_field, file) => {
      const chunks: Buffer[] = [];
      file.on('data', (chunk: Buffer) => chunks.push(chunk));
      // A form that ends early also fails here. Without a listener the error would end the process.
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

function parserFor(request: HttpRequest, limitBytes: number): busboy.Busboy {
  // The parser refuses a file that reaches its limit, so one more byte admits a file of exactly our limit.
  const limits = { files: 1, fields: 10, fieldSize: 1_024, parts: 12, fileSize: limitBytes + 1 };
  if (!/^multipart\/form-data/i.test(request.headers['content-type'] ?? ''))
    throw new ProblemException('UnsupportedMediaType', { detail: 'Send the image as multipart/form-data.' });
  try {
    return busboy({ headers: request.headers, limits });
  } catch {
    throw new ProblemException('InvalidRequest', { detail: 'The multipart body has no boundary.' });
  }
}
