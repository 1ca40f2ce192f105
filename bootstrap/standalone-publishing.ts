import type { ICommandHandler } from '@nestjs/cqrs';
import { Profiles } from '../application/profiles/profiles.js';
import { ImageStudio } from '../application/media/image-studio.js';
import { AttachFileHandler } from '../application/publishing/attachments.js';
import { AudioIntake } from '../application/publishing/audio-intake.js';
import { AudioStudio } from '../application/publishing/audio-studio.js';
import { Covers } from '../application/publishing/covers.js';
import { ApplyAsCreatorHandler, DecideOnCreatorHandler } from '../application/publishing/creator-handlers.js';
import { Creators } from '../application/publishing/creators.js';
import {
  ChangeOfferHandler,
  DecideOnPackHandler,
  DraftPackHandler,
  ReplaceCoverHandler,
} from '../application/publishing/pack-handlers.js';
import { PackSlugs } from '../application/publishing/pack-slugs.js';
import { Packs } from '../application/publishing/packs.js';
import { PublishedRecordings } from '../application/publishing/published-recordings.js';
import { PublishingSettings } from '../application/publishing/publishing-settings.js';
import { OwnPackReader } from '../application/publishing/readers.js';
import { SampleUploads } from '../application/publishing/sample-uploads.js';
import { AddSampleHandler } from '../application/publishing/upload-handlers.js';
import { UploadBoard } from '../application/publishing/upload-progress.js';
import type { Clock } from '../application/shared/clock.js';
import { ReadModelProgress } from '../application/shared/read-model-progress.js';
import { Streams } from '../application/shared/streams.js';
import { CreatorFolders } from '../application/storage/creator-folders.js';
import { ObjectStorage } from '../application/storage/object-storage.js';
import { UnreferencedObjects } from '../application/storage/unreferenced-objects.js';

export interface PublishingParts {
  streams: Streams;
  clock: Clock;
  ownPacks: OwnPackReader;
  slugs: PackSlugs;
  folders: CreatorFolders;
  profiles: Profiles;
  recordings: PublishedRecordings;
  unreferenced: UnreferencedObjects;
  storage: ObjectStorage;
  images: ImageStudio;
  audio: AudioStudio;
  settings: PublishingSettings;
  board: UploadBoard;
  progress: ReadModelProgress;
}

/** What answers the commands of publishing beside the product: for the command line and the demo. */
export function standalonePublishing(parts: PublishingParts): {
  creators: Creators;
  uploads: SampleUploads;
  handlers: ICommandHandler[];
} {
  const { streams, clock, ownPacks, slugs, folders, profiles, unreferenced, storage } = parts;
  const creators = new Creators(streams, clock);
  const packs = new Packs(streams, parts.recordings, clock);
  const covers = new Covers(parts.images, storage, ownPacks, unreferenced, clock);
  const intake = new AudioIntake(parts.audio, storage, ownPacks, unreferenced, clock);
  const uploads = new SampleUploads(intake, ownPacks, creators, packs, parts.board);
  return {
    creators,
    uploads,
    handlers: [
      new ApplyAsCreatorHandler(creators, profiles, parts.settings),
      new DecideOnCreatorHandler(creators),
      new DraftPackHandler(packs, slugs, folders, profiles, covers),
      new ReplaceCoverHandler(packs, ownPacks, covers),
      new DecideOnPackHandler(packs),
      new ChangeOfferHandler(packs, creators, parts.progress),
      new AddSampleHandler(uploads),
      new AttachFileHandler(packs, ownPacks, creators, storage, clock),
    ],
  };
}
