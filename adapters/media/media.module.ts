import { Controller, Module } from '@nestjs/common';
import { CDN_CACHE, MEDIA_CACHE, PICTURES, type PictureFolder } from '../../application/media/values.js';
import { CachePurge } from '../../application/media/cache-purge.js';
import { NarrowPictures } from '../../application/media/narrow-pictures.js';
import { MediaMemory } from '../../application/media/media-memory.js';
import { MediaUses, type MediaCaller, type MediaUse } from '../../application/media/uses.js';
import { isLostConnection } from '../platform/database/lost-connection.js';
import { ObjectMissing, ObjectStorage } from '../../application/storage/object-storage.js';
import { ProblemException, type HttpRequest, type HttpResponse } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';
import { markTraining } from '../platform/http/middleware.js';
import { PublicAddress } from '../platform/pages/public-address.js';
import { serveObject } from '../platform/http/files.js';
import { PurgeMedia } from '../../application/media/purge-media.js';
import { PostgresMediaUses } from './postgres-media-uses.js';
import * as endpoints from '../../application/media/endpoints.js';

/** A preview or picture is named by its content's hash, so its content never changes. Originals have other names. */
const PREVIEW = /^[a-f0-9]{64}\.mp3$/;
const PICTURE = /^([a-f0-9]{64})(?:-([1-9]\d{0,3}))?\.webp$/;
const OWN = 'private, no-cache';

/**
 * Everyone may read avatars, and previews and covers that are on sale or that their creator shows before a release.
 * Only the creator, buyers, and administrators who must decide about a file may read other files.
 */
@Controller()
export class MediaController {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly memory: MediaMemory,
    private readonly pictures: NarrowPictures,
    private readonly uses: MediaUses,
    private readonly address: PublicAddress,
    private readonly caches: CachePurge,
  ) {}

  @Route(endpoints.readPreviewAudio)
  async preview({ params: { file }, request, response }: Call<typeof endpoints.readPreviewAudio>) {
    if (!PREVIEW.test(file)) throw new ProblemException('NotFound');
    const key = `media/previews/${file}`;
    const options = { contentType: 'audio/mpeg', cacheControl: await this.admit(key, request, response) };
    await serveObject(request, response, this.memory, key, options);
  }

  @Route(endpoints.readCover)
  cover({ params, request, response }: Call<typeof endpoints.readCover>) {
    return this.picture('covers', params.file, request, response);
  }

  @Route(endpoints.readAvatar)
  avatar({ params, request, response }: Call<typeof endpoints.readAvatar>) {
    return this.picture('avatars', params.file, request, response);
  }

  /** Serves `{hash}.webp`, or `{hash}-{width}.webp` in a configured width. The first request creates the width. */
  private async picture(folder: PictureFolder, file: string, request: HttpRequest, response: HttpResponse) {
    const [, content, digits] = PICTURE.exec(file) ?? [];
    const widthPx = PICTURES[folder].widthsPx.find((width) => String(width) === digits);
    if (content === undefined || (digits !== undefined && widthPx === undefined))
      throw new ProblemException('NotFound');
    const whole = `media/${folder}/${content}.webp`;
    // Avatars are public until they are deleted with the account. Covers can be taken down, so check access.
    const cacheControl = folder === 'covers' ? await this.admit(whole, request, response) : MEDIA_CACHE;
    // Removed avatars must not stay in the memory of any node.
    const storage = folder === 'covers' ? this.memory : this.storage;
    const serve = () =>
      serveObject(request, response, storage, `media/${folder}/${file}`, {
        contentType: 'image/webp',
        cacheControl,
      });
    try {
      await serve();
    } catch (error) {
      if (!(error instanceof ObjectMissing) || widthPx === undefined) throw error;
      await this.pictures.make(whole, widthPx);
      await serve();
    }
  }

  /** Returns the Cache-Control of a file that the caller may access. @throws ProblemException TakenDown, NotFound */
  private async admit(key: string, request: HttpRequest, response: HttpResponse): Promise<string> {
    const { actor } = request;
    const caller = actor && { userId: actor.userId, decides: actor.roles.includes('admin') };
    const { access, trains } = await this.useOf(key, caller);
    if (trains) markTraining(response, this.address.url, true);
    if (access === 'everybody' && this.caches.isThere) response.setHeader('CDN-Cache-Control', CDN_CACHE);
    if (access === 'everybody') return MEDIA_CACHE;
    if (access === 'caller' || access === 'shown') return OWN;
    const code = access === 'taken down' ? 'TakenDown' : 'NotFound';
    throw new ProblemException(code, {}, { 'Cache-Control': 'no-store' });
  }

  /** While the database is unavailable, a file stays public if it was public at the last check. */
  private async useOf(key: string, caller: MediaCaller | undefined): Promise<MediaUse> {
    try {
      const use = await this.uses.of(key, caller);
      this.memory.note(key, use);
      return use;
    } catch (error) {
      const noted = this.memory.noted(key);
      if (!isLostConnection(error) || !noted) throw error;
      return noted;
    }
  }
}

@Module({
  controllers: [MediaController],
  providers: [MediaMemory, NarrowPictures, PurgeMedia, { provide: MediaUses, useClass: PostgresMediaUses }],
})
export class MediaModule {}
