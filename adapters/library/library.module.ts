import { Module, Controller } from '@nestjs/common';
import { FileNameTemplates, Library, LibraryStore } from '../../application/library/library.js';
import { WorkbenchQueries } from '../../application/library/queries.js';
import { ReleasedPacks, ReleaseNotices } from '../../application/library/release-notices.js';
import { FollowerCounts, FollowerNotices } from '../../application/library/follower-notices.js';
import { WeeklyMails, WeeklyMailStore } from '../../application/library/weekly-mail.js';
import { MailModule } from '../mail/mail.module.js';
import { CollectionLinks } from './collection-links.js';
import { Following } from './following.js';
import { FollowingController } from './following.controller.js';
import { Projects } from './projects.js';
import { ProjectsController } from './projects.controller.js';
import { OwnCollectionQueries } from './own-collection-queries.js';
import { CollectionLinksController, OwnCollectionsController } from './own-collections.controller.js';
import { OwnCollections } from './own-collections.js';
import { PostgresFileNameTemplates, PostgresLibraryStore } from './postgres-library.js';
import { NotificationsController } from './notifications.controller.js';
import { PostgresWeeklyMailStore } from './postgres-weekly-mail.js';
import { Workbenches } from './workbenches.js';
import { WorkbenchesController } from './workbenches.controller.js';
import { Route, type Call } from '../platform/http/route.js';
import { invalidRequest } from '../platform/http/validation.js';
import * as endpoints from '../../application/library/endpoints.js';

@Controller()
class LibraryController {
  constructor(
    private readonly library: Library,
    private readonly store: LibraryStore,
    private readonly templates: FileNameTemplates,
  ) {}

  @Route(endpoints.listSaved)
  saved({ actor, query }: Call<typeof endpoints.listSaved>) {
    return this.library.saved(actor.userId, query);
  }

  @Route(endpoints.saveItem)
  save({ actor, params: { itemId }, body: item }: Call<typeof endpoints.saveItem>) {
    if (item.id !== undefined && item.id !== itemId)
      throw invalidRequest([{ path: ['id'], message: 'The id is not the one in the address' }]);
    return this.library.save(actor.userId, itemId, item);
  }

  @Route(endpoints.removeSaved)
  remove({ actor, params }: Call<typeof endpoints.removeSaved>) {
    return this.store.removeSaved(actor.userId, params.itemId);
  }

  @Route(endpoints.importSaved)
  async importSaved({ actor, body }: Call<typeof endpoints.importSaved>) {
    return { imported: await this.library.importSaved(actor.userId, body.items) };
  }

  @Route(endpoints.importDownloads)
  async importDownloads({ actor, body }: Call<typeof endpoints.importDownloads>) {
    return { imported: await this.library.importDownloads(actor.userId, body.items) };
  }

  @Route(endpoints.listImportedDownloads)
  async importedDownloads({ actor }: Call<typeof endpoints.listImportedDownloads>) {
    return { items: await this.store.imported(actor.userId) };
  }

  @Route(endpoints.readFileNames)
  async fileNames({ actor }: Call<typeof endpoints.readFileNames>) {
    return { template: await this.templates.of(actor.userId) };
  }

  @Route(endpoints.changeFileNames)
  async changeFileNames({ actor, body }: Call<typeof endpoints.changeFileNames>): Promise<void> {
    await this.templates.set(actor.userId, body.template);
  }

  @Route(endpoints.listHistory)
  history({ actor }: Call<typeof endpoints.listHistory>) {
    return this.store.history(actor.userId);
  }

  @Route(endpoints.addToHistory)
  played({ actor, body }: Call<typeof endpoints.addToHistory>) {
    return this.library.played(actor.userId, body);
  }
}

@Module({
  imports: [MailModule],
  controllers: [
    CollectionLinksController,
    FollowingController,
    LibraryController,
    NotificationsController,
    OwnCollectionsController,
    ProjectsController,
    WorkbenchesController,
  ],
  providers: [
    CollectionLinks,
    Following,
    Library,
    Projects,
    OwnCollectionQueries,
    OwnCollections,
    Workbenches,
    { provide: WorkbenchQueries, useExisting: Workbenches },
    { provide: FileNameTemplates, useClass: PostgresFileNameTemplates },
    { provide: LibraryStore, useClass: PostgresLibraryStore },
    FollowerNotices,
    ReleaseNotices,
    { provide: ReleasedPacks, useExisting: Following },
    { provide: FollowerCounts, useExisting: Following },
    WeeklyMails,
    { provide: WeeklyMailStore, useClass: PostgresWeeklyMailStore },
  ],
  exports: [FileNameTemplates, WorkbenchQueries],
})
export class LibraryModule {}
