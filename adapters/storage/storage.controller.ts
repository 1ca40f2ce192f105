import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import { ObjectStorage } from '../../application/storage/object-storage.js';
import { attachmentDisposition } from '../../application/shared/content-disposition.js';
import {
  StorageListAnswer,
  StorageListQuery,
  StorageObjectQuery,
} from '../../application/storage/contract.js';
import { contentTypeOf } from '../../application/storage/layout.js';
import { StorageProxy } from '../../application/storage/storage-proxy.js';
import { AccessFor, CurrentActor, type Actor } from '../platform/http/access.js';
import { ProblemException } from '../platform/http/problems.js';
import type { HttpRequest, HttpResponse } from '../platform/http/request.js';
import { serveObject } from '../platform/http/serve-object.js';
import type { ProblemCode } from '../../application/shared/problems.js';

/** The bucket as former clients knew it: a read-only view of its layout. */
@ApiTags('Storage')
@Controller('api/storage')
@AccessFor('public')
export class StorageController {
  constructor(
    private readonly proxy: StorageProxy,
    private readonly storage: ObjectStorage,
  ) {}

  @Get('list')
  @ApiResponse({ status: 200, standardSchema: StorageListAnswer })
  async list(
    @Query({ schema: StorageListQuery }) query: StorageListQuery,
    @CurrentActor() actor: Actor | undefined,
  ): Promise<z.infer<typeof StorageListAnswer>> {
    const data = await this.proxy.list(actor?.userId, query).catch(refuseBadPath);
    return { data: data ?? refuseWith('NotFound', 'Storage list failed (404)') };
  }

  @Get('object')
  async object(
    @Query({ schema: StorageObjectQuery }) query: z.infer<typeof StorageObjectQuery>,
    @CurrentActor() actor: Actor | undefined,
    @Req() request: HttpRequest,
    @Res() response: HttpResponse,
  ): Promise<void> {
    const decision = await this.proxy.decide(actor?.userId, query).catch(refuseBadPath);
    if (decision.kind === 'refused')
      return refuseWith(actor ? 'NotAllowed' : 'NotSignedIn', 'This file is for those who own it');
    if (decision.kind === 'absent') return refuseWith('NotFound', 'There is no such file');
    const isOriginal = decision.kind === 'original';
    await serveObject(request, response, this.storage, decision.key, {
      contentType: contentTypeOf(decision.key),
      // What a creator sees of a draft is not for a shared cache, and what anybody sees may be taken down.
      cacheControl: isOriginal ? 'private, no-store' : `${actor ? 'private' : 'public'}, no-cache`,
      ...(isOriginal ? { contentDisposition: attachmentDisposition(decision.fileName) } : {}),
    }).catch((error: Error) => {
      if (error.name === 'ObjectMissing') refuseWith('NotFound', 'There is no such file');
      throw error;
    });
  }
}

/** Former clients read the reason in `error`. */
function refuseWith(code: ProblemCode, error: string): never {
  throw new ProblemException(code, { detail: error, error });
}

function refuseBadPath(error: unknown): never {
  if (error instanceof RangeError) refuseWith('NotFound', 'There is no such place');
  throw error;
}
