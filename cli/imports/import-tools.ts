import { CommandBus } from '@nestjs/cqrs';
import { AccountStore } from '../../application/accounts/account-store.js';
import { OwnAvatar, CreatorProfiles } from '../../application/profiles/creator-profiles.js';
import { Placeholders } from '../../application/accounts/placeholders.js';
import { Notices } from '../../application/mail/notices.js';
import { Profiles } from '../../application/profiles/profiles.js';
import { Creators } from '../../application/publishing/creators/creators.js';
import type { BucketImportTools } from '../../application/publishing/imports/import-bucket.js';
import { MirrorPackJson } from '../../application/publishing/mirror-pack-json.js';
import { OwnPackQueries } from '../../application/publishing/queries.js';
import { SampleUploads } from '../../application/publishing/samples/sample-uploads.js';
import { WorkingFiles } from '../../application/publishing/samples/working-files.js';
import { CommandRefused } from '../refused.js';
import type { Tools } from '../tools.js';

const MIRROR_WAIT_MS = 10_000;

export interface ImportTools extends Omit<BucketImportTools, 'source'> {
  /** Waits until search and `pack.json` show the import, then ends the subscriptions. */
  close(): Promise<void>;
}

/** Updates search and `pack.json` in this process, because perhaps no server runs. A lease prevents double work. */
export async function openImportTools(tools: Tools): Promise<ImportTools> {
  const { app, eventStore, logSubscriptions, wallClock } = tools;
  const mirror = app.get(MirrorPackJson);
  await logSubscriptions.start([mirror]);
  const close = async (): Promise<void> => {
    const { position } = await eventStore.head();
    await logSubscriptions.caughtUp(position, MIRROR_WAIT_MS);
    await logSubscriptions.caughtUp(position, MIRROR_WAIT_MS, [mirror.name]);
    await logSubscriptions.stop();
  };
  return {
    placeholders: new Placeholders(app.get(AccountStore), wallClock),
    commands: app.get(CommandBus),
    profiles: app.get(Profiles),
    creators: app.get(Creators),
    uploads: app.get(SampleUploads),
    creatorProfiles: app.get(CreatorProfiles),
    avatars: app.get(OwnAvatar),
    ownPacks: app.get(OwnPackQueries),
    files: app.get(WorkingFiles),
    notices: app.get(Notices),
    clock: wallClock,
    close,
  };
}

/** @returns the user id of the creator with this handle @throws CommandRefused */
export async function creatorCalled(
  profiles: Pick<Profiles, 'findOwner'>,
  handle: string,
  advice = '',
): Promise<string> {
  const owner = await profiles.findOwner(handle.replace(/^@/, ''));
  if (!owner) throw new CommandRefused(`no creator has the handle ${handle}${advice}`);
  return owner.userId;
}
