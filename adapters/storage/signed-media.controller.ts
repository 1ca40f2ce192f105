import { Controller, Inject, Optional } from '@nestjs/common';
import { ObjectStorage } from '../../application/storage/object-storage.js';
import { SignedUrlVerifier } from '../../application/storage/signed-urls.js';
import { readSigned } from '../../application/storage/endpoints.js';
import { attachmentDisposition } from '../../application/shared/content-disposition.js';
import { ProblemException, type HttpRequest } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';
import { serveObject } from '../platform/http/files.js';

const PATH = '/media/signed/';

/** Serves URLs that the local storage signed. With S3, the bucket serves them and this route finds nothing. */
@Controller()
export class SignedMediaController {
  constructor(
    private readonly storage: ObjectStorage,
    @Optional() @Inject(SignedUrlVerifier) private readonly verifier: SignedUrlVerifier | null,
  ) {}

  @Route(readSigned)
  async read({ request, response }: Call<typeof readSigned>): Promise<void> {
    const { key, contentType, downloadName } = this.verify(request);
    await serveObject(request, response, this.storage, key, {
      contentType: contentType ?? 'application/octet-stream',
      // The response is valid for this person and moment only.
      cacheControl: 'private, no-store',
      contentDisposition: downloadName === undefined ? 'attachment' : attachmentDisposition(downloadName),
    });
  }

  private verify(request: HttpRequest & { query?: Record<string, unknown> }) {
    if (!this.verifier) throw new ProblemException('NotFound');
    const key = keyOf(request);
    const verdict = this.verifier.verify({ key, query: request.query ?? {} });
    if (!verdict.accepted)
      throw new ProblemException(verdict.rejection.code === 'Expired' ? 'TokenInvalid' : 'NotAllowed');
    return { key, contentType: verdict.contentType, downloadName: verdict.downloadName };
  }
}

/** Returns the signed key: each segment is decoded once. An address that cannot be decoded was never signed. */
function keyOf(request: HttpRequest): string {
  const path = request.originalUrl.split('?')[0] as string;
  try {
    if (!path.startsWith(PATH)) throw new URIError(path);
    return path.slice(PATH.length).split('/').map(decodeURIComponent).join('/');
  } catch {
    throw new ProblemException('NotAllowed');
  }
}
