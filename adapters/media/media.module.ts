import { Module } from '@nestjs/common';
import { PurgeMedia } from '../../application/media/purge-media.js';
import { MediaMemory } from '../../application/media/media-memory.js';
import { NarrowPictures } from '../../application/media/narrow-pictures.js';
import { MediaUses } from '../../application/media/uses.js';
import { PostgresMediaUses } from './postgres-media-uses.js';
import { MediaController } from './media.controller.js';

@Module({
  controllers: [MediaController],
  providers: [MediaMemory, NarrowPictures, PurgeMedia, { provide: MediaUses, useClass: PostgresMediaUses }],
  exports: [PurgeMedia],
})
export class MediaModule {}
