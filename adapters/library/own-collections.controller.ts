import { Controller } from '@nestjs/common';
import * as endpoints from '../../application/library/collections/endpoints.js';
import { serverPaths } from '../../application/pages/paths.js';
import { Route, type Call } from '../platform/http/route.js';
import { PublicAddress } from '../platform/pages/public-address.js';
import { CollectionLinks } from './collection-links.js';
import { OwnCollectionQueries } from './own-collection-queries.js';
import { OwnCollections } from './own-collections.js';

@Controller()
export class OwnCollectionsController {
  constructor(
    private readonly collections: OwnCollections,
    private readonly queries: OwnCollectionQueries,
  ) {}

  @Route(endpoints.listOwnCollections)
  async list({ actor, query }: Call<typeof endpoints.listOwnCollections>) {
    return { items: await this.queries.of(actor.userId, query.sampleId) };
  }

  @Route(endpoints.createOwnCollection)
  async create({ actor, body, refuse }: Call<typeof endpoints.createOwnCollection>) {
    const outcome = await this.collections.create(actor.userId, body);
    if (!outcome.accepted) return refuse(outcome.rejection);
    return (await this.queries.byId(actor.userId, outcome.id)) ?? refuse({ code: 'NotFound' });
  }

  @Route(endpoints.readOwnCollection)
  async read({ actor, params, refuse }: Call<typeof endpoints.readOwnCollection>) {
    return (await this.queries.byId(actor.userId, params.id)) ?? refuse({ code: 'NotFound' });
  }

  @Route(endpoints.changeOwnCollection)
  async change({ actor, params, body, refuse }: Call<typeof endpoints.changeOwnCollection>): Promise<void> {
    const outcome = await this.collections.change(actor.userId, params.id, body);
    if (!outcome.accepted) refuse(outcome.rejection);
  }

  @Route(endpoints.deleteOwnCollection)
  async delete({ actor, params, refuse }: Call<typeof endpoints.deleteOwnCollection>): Promise<void> {
    const outcome = await this.collections.delete(actor.userId, params.id);
    if (!outcome.accepted) refuse(outcome.rejection);
  }

  @Route(endpoints.addToOwnCollection)
  async add({ actor, params, body, refuse }: Call<typeof endpoints.addToOwnCollection>) {
    const outcome = await this.collections.add(actor.userId, params.id, body.sampleIds);
    return outcome.accepted ? { added: outcome.added } : refuse(outcome.rejection);
  }

  @Route(endpoints.removeFromOwnCollection)
  async remove({ actor, params, refuse }: Call<typeof endpoints.removeFromOwnCollection>): Promise<void> {
    const outcome = await this.collections.remove(actor.userId, params.id, params.sampleId);
    if (!outcome.accepted) refuse(outcome.rejection);
  }

  @Route(endpoints.moveInOwnCollection)
  async move({ actor, params, body, refuse }: Call<typeof endpoints.moveInOwnCollection>): Promise<void> {
    const outcome = await this.collections.move(actor.userId, params.id, params.sampleId, body.after);
    if (!outcome.accepted) refuse(outcome.rejection);
  }
}

@Controller()
export class CollectionLinksController {
  constructor(
    private readonly links: CollectionLinks,
    private readonly queries: OwnCollectionQueries,
    private readonly address: PublicAddress,
  ) {}

  @Route(endpoints.shareOwnCollection)
  async share({ actor, params, refuse }: Call<typeof endpoints.shareOwnCollection>) {
    const outcome = await this.links.share(actor.userId, params.id);
    if (!outcome.accepted) return refuse(outcome.rejection);
    return { url: this.address.url + serverPaths.sharedCollection(outcome.token) };
  }

  @Route(endpoints.unshareOwnCollection)
  async unshare({ actor, params, refuse }: Call<typeof endpoints.unshareOwnCollection>): Promise<void> {
    const outcome = await this.links.unshare(actor.userId, params.id);
    if (!outcome.accepted) refuse(outcome.rejection);
  }

  @Route(endpoints.inviteCollaborator)
  async invite({ actor, params, refuse }: Call<typeof endpoints.inviteCollaborator>) {
    const outcome = await this.links.invite(actor.userId, params.id);
    if (!outcome.accepted) return refuse(outcome.rejection);
    return { url: this.address.url + serverPaths.invitation(outcome.token) };
  }

  @Route(endpoints.removeCollaborator)
  async leave({ actor, params, refuse }: Call<typeof endpoints.removeCollaborator>): Promise<void> {
    const outcome = await this.links.removeCollaborator(actor.userId, params.id);
    if (!outcome.accepted) refuse(outcome.rejection);
  }

  @Route(endpoints.readInvitation)
  async invitation({ actor, params, refuse }: Call<typeof endpoints.readInvitation>) {
    const found = await this.queries.invitation(actor.userId, params.token);
    return found ?? refuse({ code: 'TokenInvalid' });
  }

  @Route(endpoints.acceptInvitation)
  async accept({ actor, params, refuse }: Call<typeof endpoints.acceptInvitation>) {
    const outcome = await this.links.accept(actor.userId, params.token);
    return outcome.accepted ? { id: outcome.id } : refuse(outcome.rejection);
  }

  @Route(endpoints.readSharedCollection)
  async shared({ actor, params, refuse }: Call<typeof endpoints.readSharedCollection>) {
    return (await this.queries.shared(params.token, actor?.userId)) ?? refuse({ code: 'TokenInvalid' });
  }

  @Route(endpoints.copySharedCollection)
  async copy({ actor, params, refuse }: Call<typeof endpoints.copySharedCollection>) {
    const outcome = await this.links.copy(actor.userId, params.token);
    return outcome.accepted ? { id: outcome.id } : refuse(outcome.rejection);
  }
}
