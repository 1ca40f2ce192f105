import { Module } from '@nestjs/common';
import { ProfileErasure } from '../../application/accounts/personal-data.js';
import { CreatorProfileStore, ProfileStore } from '../../application/profiles/profile-store.js';
import { CreatorProfiles, OwnAvatar } from '../../application/profiles/creator-profiles.js';
import { EndVerificationHandler, Profiles } from '../../application/profiles/profiles.js';
import { ProfileFiles } from '../../application/profiles/profile-files.js';
import { StorageModule } from '../storage/storage.module.js';
import { CreatorProfileController } from './creator-profile.controller.js';
import { PostgresCreatorProfileStore, PostgresProfileStore } from './postgres-profiles.js';

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
  exports: [OwnAvatar, ProfileErasure, Profiles],
})
export class ProfilesModule {}
