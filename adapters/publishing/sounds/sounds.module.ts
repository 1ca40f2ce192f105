import { Module } from '@nestjs/common';
import { CopyCheck } from '../../../application/publishing/sounds/copy-check.js';
import { KnownSounds } from '../../../application/publishing/sounds/known-sounds.js';
import { Suspicions } from '../../../application/publishing/suspicions/suspicions.js';
import { PostgresKnownSounds } from './postgres-known-sounds.js';

/** Which sounds of different creators are alike. */
@Module({
  providers: [
    CopyCheck,
    { provide: KnownSounds, useClass: PostgresKnownSounds },
    // Nothing follows yet.
    { provide: Suspicions, useValue: { found: () => Promise.resolve() } satisfies Suspicions },
  ],
  exports: [CopyCheck, KnownSounds],
})
export class SoundsModule {}
