import { pipeline } from 'node:stream/promises';
import { Logger } from '@nestjs/common';
import type { Archive } from '../../../../application/storage/archive.js';
import { attachmentDisposition } from '../../../../application/shared/content-disposition.js';
import { workOwner } from '../../../../application/shared/lanes/work-owner.js';
import { tooManyRequests } from '../problem-exception.js';
import type { HttpResponse } from '../request.js';

/** Archives that a node sends to one account concurrently. Each keeps a file open for as long as the client likes. */
const AT_ONCE = 4;
const sending = new Map<string | undefined, number>();

/**
 * Sends an archive at the client's pace. Cuts the response off and logs an error if the archive cannot be read to its
 * end.
 * @returns whether the client received all of it
 * @throws ProblemException TooManyRequests before the first byte, if too many archives are being sent
 */
export async function sendArchive(
  response: HttpResponse,
  { archive, filename }: { archive: Archive; filename: string },
): Promise<boolean> {
  const owner = workOwner();
  const underWay = sending.get(owner) ?? 0;
  if (underWay >= AT_ONCE) {
    archive.body.destroy();
    throw tooManyRequests(`${AT_ONCE} archives are on their way to you. Try again when one has arrived.`, 5);
  }
  sending.set(owner, underWay + 1);
  try {
    return await send(response, archive, filename);
  } finally {
    const left = (sending.get(owner) ?? 1) - 1;
    if (left > 0) sending.set(owner, left);
    else sending.delete(owner);
  }
}

async function send(response: HttpResponse, archive: Archive, filename: string): Promise<boolean> {
  response.setHeader('Content-Type', 'application/zip');
  if (archive.sizeBytes !== undefined) response.setHeader('Content-Length', archive.sizeBytes);
  response.setHeader('Content-Disposition', attachmentDisposition(filename));
  response.setHeader('Cache-Control', 'private, no-store');
  // The client disconnected before the first byte. A closed response accepts no stream, so close the files here.
  if (response.destroyed) {
    archive.body.destroy();
    return false;
  }
  try {
    await pipeline(archive.body, response);
    return true;
  } catch (error) {
    // It is too late for another answer. A broken connection shows the browser that the file is incomplete.
    response.destroy();
    const { code, message } = error as NodeJS.ErrnoException;
    // The client disconnected, which is no error.
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && code !== 'ECONNRESET')
      new Logger('Archives').error(`${filename} ended early: ${message}`);
    return false;
  }
}
