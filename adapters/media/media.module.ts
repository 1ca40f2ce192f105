import { Module } from '@nestjs/common';
import { NarrowPictures } from '../../application/media/narrow-pictures.js';
import { MediaUses } from '../../application/media/uses.js';
import { PostgresMediaUses } from './media-uses.js';
import { MediaController } from './media.controller.js';

/** Previews and pictures over HTTP. */
@Module({
  controllers: [MediaController],
  providers: [NarrowPictures, { provide: MediaUses, useClass: PostgresMediaUses }],
})
export class MediaModule {}
