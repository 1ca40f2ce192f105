import { Module } from '@nestjs/common';
import { CopyCheck } from '../../../application/publishing/sounds/copy-check.js';
import { KnownSounds } from '../../../application/publishing/sounds/known-sounds.js';
import { PostgresKnownSounds } from './postgres-known-sounds.js';

@Module({
  providers: [CopyCheck, { provide: KnownSounds, useClass: PostgresKnownSounds }],
  exports: [CopyCheck, KnownSounds],
})
export class SoundsModule {}
