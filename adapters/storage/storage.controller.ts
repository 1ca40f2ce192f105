import { Controller } from '@nestjs/common';
import { ObjectStorage } from '../../application/storage/object-storage.js';
import { attachmentDisposition } from '../../application/shared/content-disposition.js';
import { listFolder, readObject } from '../../application/storage/endpoints.js';
import { contentTypeOf } from '../../application/storage/layout.js';
import { StorageProxy } from '../../application/storage/storage-proxy.js';
import { ProblemException } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';
import { serveObject } from '../platform/http/files.js';
import type { ProblemCode } from '../../application/shared/problems.js';

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
