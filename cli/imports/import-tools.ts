import { join } from 'node:path';
import type { CommandBus } from '@nestjs/cqrs';
import type { AccountStore } from '../../application/accounts/account-store.js';
import { OwnAvatar } from '../../application/accounts/own-account.js';
import { CreatorProfiles } from '../../application/profiles/creator-profiles.js';
import { ProfileFiles } from '../../application/profiles/profile-files.js';
import { Profiles } from '../../application/profiles/profiles.js';
import type { Creators } from '../../application/publishing/creators.js';
import { MirrorPackJson } from '../../application/publishing/mirror-pack-json.js';
import { OwnPackReader } from '../../application/publishing/readers.js';
import { PublishingSettings } from '../../application/publishing/publishing-settings.js';
import type { SampleUploads } from '../../application/publishing/sample-uploads.js';
import { UploadBoard } from '../../application/publishing/upload-progress.js';
import { Streams } from '../../application/shared/streams.js';
import { standaloneBus } from '../../adapters/platform/commands/standalone-bus.js';
import { WorkerAudioStudio } from '../../adapters/vendors/audio/worker-audio-studio.js';
import { SharpImageStudio } from '../../adapters/vendors/images/sharp-image-studio.js';
import { Followers } from '../../adapters/platform/event-log/subscriptions.js';
import { PostgresOwnPackReader } from '../../adapters/publishing/own-pack-reader.js';
import { PostgresAccountStore } from '../../adapters/accounts/postgres-accounts.js';
import { PostgresCreatorProfileStore } from '../../adapters/profiles/postgres-creator-profiles.js';
import { PostgresPackSlugs } from '../../adapters/publishing/postgres-pack-slugs.js';
import { PostgresCreatorFolders } from '../../adapters/storage/postgres-creator-folders.js';
import { PostgresPublishedRecordings } from '../../adapters/publishing/postgres-published-recordings.js';
import { PostgresUnreferencedObjects } from '../../adapters/storage/postgres-unreferenced-objects.js';
import { PostgresProfileStore } from '../../adapters/profiles/postgres-profiles.js';
import type { Tools } from '../tools.js';
import { standalonePublishing } from '../../bootstrap/standalone-publishing.js';
import { PROJECTIONS } from '../../bootstrap/projections.js';

const MIRROR_WAIT_MS = 10_000;

/** The publishing use cases, in this process. */
export interface ImportDesk {
  accounts: AccountStore;
  profiles: Profiles;
  commands: CommandBus;
  creators: Creators;
  uploads: SampleUploads;
  creatorProfiles: CreatorProfiles;
  avatars: OwnAvatar;
  ownPacks: OwnPackReader;
  uploadFolder: string;
  /** Waits until search and `pack.json` have what was imported, then ends the followers and workers. */
  close(): Promise<void>;
}

/**
 * Search and `pack.json` follow the log here too, for the case that no server runs; beside one, whoever has
 * the lease does the work.
 */
export async function openImportDesk({
  config,
  clock,
  wallClock,
  database,
  eventStore,
  storage,
}: Tools): Promise<ImportDesk> {
  const ownPacks = new PostgresOwnPackReader(database);
  const mirror = new MirrorPackJson(ownPacks, storage);
  const followers = new Followers(database, eventStore, PROJECTIONS.async, {
    warn: (line) => console.error(line),
    error: (line) => console.error(line),
  });
  await followers.start([mirror]);
  const studio = new WorkerAudioStudio();
  const settings = new PublishingSettings(config.autoApproveCreators, join(config.dataDir, 'uploads'));
  const accounts = new PostgresAccountStore(database);
  const profiles = new Profiles(new PostgresProfileStore(database), accounts, clock);
  const images = new SharpImageStudio();
  const folders = new PostgresCreatorFolders(database);
  const { creators, uploads, handlers } = standalonePublishing({
    streams: new Streams(eventStore),
    clock,
    ownPacks,
    slugs: new PostgresPackSlugs(database),
    folders,
    profiles,
    recordings: new PostgresPublishedRecordings(database),
    unreferenced: new PostgresUnreferencedObjects(database),
    storage,
    images,
    audio: studio,
    settings,
    board: new UploadBoard(wallClock),
    progress: followers,
  });
  const profileStore = new PostgresCreatorProfileStore(database);
  const files = new ProfileFiles(profileStore, folders, storage);

  const close = async (): Promise<void> => {
    await studio.close();
    const { position } = await eventStore.head();
    await followers.caughtUp(position, MIRROR_WAIT_MS);
    await mirrored(position);
    await followers.stop();
  };
  const mirrored = async (position: number): Promise<void> => {
    const deadline = Date.now() + MIRROR_WAIT_MS;
    while (Date.now() < deadline) {
      const checkpoints = await followers.projector.checkpoints();
      const reached = checkpoints.find(({ name }) => name === mirror.name)?.position ?? 0;
      if (reached >= position) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  return {
    accounts,
    commands: await standaloneBus(handlers),
    profiles,
    creators,
    uploads,
    creatorProfiles: new CreatorProfiles(profileStore, accounts, profiles, files, clock),
    avatars: new OwnAvatar(accounts, images, storage, files),
    ownPacks,
    uploadFolder: settings.uploadFolder,
    close,
  };
}
