import { Module } from '@nestjs/common';
import { ProfileErasure } from '../../application/accounts/personal-data.js';
import { CreatorProfileStore } from '../../application/profiles/creator-profile-store.js';
import { CreatorProfiles } from '../../application/profiles/creator-profiles.js';
import { EndVerificationHandler } from '../../application/profiles/end-verification.js';
import { OwnAvatar } from '../../application/profiles/own-avatar.js';
import { ProfileFiles } from '../../application/profiles/profile-files.js';
import { ProfileStore } from '../../application/profiles/profile-store.js';
import { Profiles } from '../../application/profiles/profiles.js';
import { StorageModule } from '../storage/storage.module.js';
import { CreatorProfileController } from './creator-profile.controller.js';
import { PostgresCreatorProfileStore } from './postgres-creator-profiles.js';
import { PostgresProfileStore } from './postgres-profiles.js';

@Module({
  imports: [StorageModule],
  controllers: [CreatorProfileController],
  providers: [
    CreatorProfiles,
    EndVerificationHandler,
    OwnAvatar,
    ProfileFiles,
    Profiles,
    { provide: ProfileErasure, useExisting: ProfileFiles },
    { provide: CreatorProfileStore, useClass: PostgresCreatorProfileStore },
    { provide: ProfileStore, useClass: PostgresProfileStore },
  ],
  exports: [OwnAvatar, ProfileErasure, ProfileFiles, Profiles],
})
export class ProfilesModule {}
