import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiProduces, ApiTags } from '@nestjs/swagger';
import { PICTURES, type PictureFolder } from '../../application/media/contract.js';
import { NarrowPictures } from '../../application/media/narrow-pictures.js';
import { ObjectMissing, ObjectStorage } from '../../application/ports/object-storage.js';
import { AccessFor } from './access.js';
import { ProblemException } from './problems.js';
import type { HttpRequest, HttpResponse } from './request.js';
import { serveObject } from './serve-object.js';

/** Names are the content's hash, so that a file under a name never changes. Originals are named otherwise. */
const PREVIEW = /^[a-f0-9]{64}\.mp3$/;
const PICTURE = /^([a-f0-9]{64})(?:-([1-9]\d{0,3}))?\.webp$/;
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** What anybody may hear and see: previews, covers, avatars. */
@ApiTags('Media')
@Controller('media')
@AccessFor('public')
export class MediaController {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly pictures: NarrowPictures,
  ) {}

  @Get('previews/:file')
  @ApiProduces('audio/mpeg')
  async preview(@Param('file') file: string, @Req() request: HttpRequest, @Res() response: HttpResponse) {
    if (!PREVIEW.test(file)) throw new ProblemException('NotFound');
    const options = { contentType: 'audio/mpeg', cacheControl: IMMUTABLE };
    await serveObject(request, response, this.storage, `media/previews/${file}`, options);
  }

  @Get('covers/:file')
  @ApiProduces('image/webp')
  async cover(@Param('file') file: string, @Req() request: HttpRequest, @Res() response: HttpResponse) {
    await this.picture('covers', file, request, response);
  }

  @Get('avatars/:file')
  @ApiProduces('image/webp')
  async avatar(@Param('file') file: string, @Req() request: HttpRequest, @Res() response: HttpResponse) {
    await this.picture('avatars', file, request, response);
  }

  /** `{content}.webp`, or `{content}-{width}.webp` in one of the widths there are. */
  private async picture(
    folder: PictureFolder,
    file: string,
    request: HttpRequest,
    response: HttpResponse,
  ): Promise<void> {
    const [, content, digits] = PICTURE.exec(file) ?? [];
    const widthPx = PICTURES[folder].widthsPx.find((width) => String(width) === digits);
    if (content === undefined || (digits !== undefined && widthPx === undefined))
      throw new ProblemException('NotFound');
    const serve = () =>
      serveObject(request, response, this.storage, `media/${folder}/${file}`, {
        contentType: 'image/webp',
        cacheControl: IMMUTABLE,
      });
    try {
      await serve();
    } catch (error) {
      if (!(error instanceof ObjectMissing) || widthPx === undefined) throw error;
      await this.pictures.make(`media/${folder}/${content}.webp`, widthPx);
      await serve();
    }
  }
}
