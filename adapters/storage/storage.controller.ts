import { Controller, Inject, Optional } from '@nestjs/common';
import { ObjectStorage } from '../../application/storage/object-storage.js';
import { attachmentDisposition } from '../../application/shared/content-disposition.js';
import { listFolder, readObject, readSigned } from '../../application/storage/endpoints.js';
import { contentTypeOf } from '../../application/storage/layout.js';
import { StorageProxy } from '../../application/storage/storage-proxy.js';
import { ProblemException, type HttpRequest } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';
import { serveObject } from '../platform/http/files.js';
import type { ProblemCode } from '../../application/shared/problems.js';
import { SignedUrlVerifier } from '../../application/storage/signed-urls.js';

/** The bucket as old clients knew it: a read-only view of its layout. */
@Controller()
export class StorageController {
  constructor(
    private readonly proxy: StorageProxy,
    private readonly storage: ObjectStorage,
  ) {}

  @Route(listFolder)
  async list({ actor, query }: Call<typeof listFolder>) {
    const data = await this.proxy.list(actor?.userId, query).catch(refuseBadPath);
    return { data: data ?? refuseWith('NotFound', 'Storage list failed (404)') };
  }

  @Route(readObject)
  async object({ actor, query, request, response }: Call<typeof readObject>): Promise<void> {
    const decision = await this.proxy.decide(actor?.userId, query).catch(refuseBadPath);
    if (decision.kind === 'refused')
      return refuseWith(actor ? 'NotAllowed' : 'NotSignedIn', 'This file is for those who own it');
    if (decision.kind === 'absent') return refuseWith('NotFound', 'There is no such file');
    const isOriginal = decision.kind === 'original';
    await serveObject(request, response, this.storage, decision.key, {
      contentType: contentTypeOf(decision.key),
      // A creator's draft must not enter a shared cache, and public files may be taken down.
      cacheControl: isOriginal ? 'private, no-store' : `${actor ? 'private' : 'public'}, no-cache`,
      ...(isOriginal ? { contentDisposition: attachmentDisposition(decision.fileName) } : {}),
    }).catch((error: Error) => {
      if (error.name === 'ObjectMissing') refuseWith('NotFound', 'There is no such file');
      throw error;
    });
  }
}

/** Old clients read the reason in `error`. */
function refuseWith(code: ProblemCode, error: string): never {
  throw new ProblemException(code, { detail: error, error });
}

function refuseBadPath(error: unknown): never {
  if (error instanceof RangeError) refuseWith('NotFound', 'There is no such place');
  throw error;
}

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
