import { pipeline } from 'node:stream/promises';
import { Logger } from '@nestjs/common';
import type { Archive } from '../../application/ports/archive.js';
import { attachmentDisposition } from '../../application/shared/content-disposition.js';
import type { HttpResponse } from './request.js';

/** Sends an archive at the client's pace; one that cannot be read to its end is cut off and logged. */
export async function sendArchive(
  response: HttpResponse,
  { archive, filename }: { archive: Archive; filename: string },
): Promise<void> {
  response.setHeader('Content-Type', 'application/zip');
  response.setHeader('Content-Length', archive.sizeBytes);
  response.setHeader('Content-Disposition', attachmentDisposition(filename));
  response.setHeader('Cache-Control', 'private, no-store');
  await pipeline(archive.body, response).catch((error: NodeJS.ErrnoException) => {
    // Too late to answer anything else: the length was announced, so the browser knows that it is not whole.
    response.destroy();
    // The client went away, which is nobody's fault.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.code === 'ECONNRESET') return;
    new Logger('Archives').error(`${filename} ended early: ${error.message}`);
  });
}
