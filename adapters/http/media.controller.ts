import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiProduces, ApiTags } from '@nestjs/swagger';
import { ObjectStorage } from '../../application/ports/object-storage.js';
import { AccessFor } from './access.js';
import { ProblemException } from './problems.js';
import type { HttpRequest, HttpResponse } from './request.js';
import { serveObject } from './serve-object.js';

/** Names are the content's hash, so that a file under a name never changes. Originals are named otherwise. */
const CONTENT_ADDRESSED = /^[a-f0-9]{64}(-\d+)?\.(mp3|webp)$/;
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** What anybody may hear and see: previews, covers, avatars. */
@ApiTags('Media')
@Controller('media')
@AccessFor('public')
export class MediaController {
  constructor(private readonly storage: ObjectStorage) {}

  @Get('previews/:file')
  @ApiProduces('audio/mpeg')
  async preview(@Param('file') file: string, @Req() request: HttpRequest, @Res() response: HttpResponse) {
    await this.serve('previews', file, 'audio/mpeg', request, response);
  }

  @Get('covers/:file')
  @ApiProduces('image/webp')
  async cover(@Param('file') file: string, @Req() request: HttpRequest, @Res() response: HttpResponse) {
    await this.serve('covers', file, 'image/webp', request, response);
  }

  @Get('avatars/:file')
  @ApiProduces('image/webp')
  async avatar(@Param('file') file: string, @Req() request: HttpRequest, @Res() response: HttpResponse) {
    await this.serve('avatars', file, 'image/webp', request, response);
  }

  private async serve(
    folder: 'previews' | 'covers' | 'avatars',
    file: string,
    contentType: 'audio/mpeg' | 'image/webp',
    request: HttpRequest,
    response: HttpResponse,
  ): Promise<void> {
    const extension = contentType === 'audio/mpeg' ? '.mp3' : '.webp';
    if (!CONTENT_ADDRESSED.test(file) || !file.endsWith(extension)) throw new ProblemException('NotFound');
    await serveObject(request, response, this.storage, `media/${folder}/${file}`, {
      contentType,
      cacheControl: IMMUTABLE,
    });
  }
}
