import { pipeline } from 'node:stream/promises';
import { Logger } from '@nestjs/common';
import type { Archive } from '../../../../application/purchases/archive.js';
import { attachmentDisposition } from '../../../../application/shared/content-disposition.js';
import type { HttpResponse } from '../request.js';

/**
 * Sends an archive at the client's pace; one that cannot be read to its end is cut off and logged.
 * @returns whether all of it was taken
 */
export async function sendArchive(
  response: HttpResponse,
  { archive, filename }: { archive: Archive; filename: string },
): Promise<boolean> {
  response.setHeader('Content-Type', 'application/zip');
  if (archive.sizeBytes !== undefined) response.setHeader('Content-Length', archive.sizeBytes);
  response.setHeader('Content-Disposition', attachmentDisposition(filename));
  response.setHeader('Cache-Control', 'private, no-store');
  // The client went away before the first byte: a closed response takes no stream, so the files are closed here.
  if (response.destroyed) {
    archive.body.destroy();
    return false;
  }
  try {
    await pipeline(archive.body, response);
    return true;
  } catch (error) {
    // It is too late for another answer: a broken connection tells the browser that the file is incomplete.
    response.destroy();
    const { code, message } = error as NodeJS.ErrnoException;
    // The client went away: no fault.
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && code !== 'ECONNRESET')
      new Logger('Archives').error(`${filename} ended early: ${message}`);
    return false;
  }
}
