import { Controller } from '@nestjs/common';
import * as endpoints from '../../application/library/endpoints.js';
import { tagOf } from '../../domain/catalogue/vocabulary.js';
import { Route, type Call } from '../platform/http/route.js';
import { Following } from './following.js';

@Controller()
export class FollowingController {
  constructor(private readonly following: Following) {}

  @Route(endpoints.listFollowing)
  list({ actor }: Call<typeof endpoints.listFollowing>) {
    return this.following.of(actor.userId);
  }

  @Route(endpoints.followCreator)
  async followCreator({ actor, params, refuse }: Call<typeof endpoints.followCreator>): Promise<void> {
    const creatorId = await this.following.creatorOf(params.handle);
    if (creatorId === undefined) return refuse({ code: 'NotFound' });
    if (!(await this.following.follow(actor.userId, 'creator', creatorId)))
      refuse({ code: 'FollowsTooMany' });
  }

  @Route(endpoints.leaveCreator)
  async leaveCreator({ actor, params }: Call<typeof endpoints.leaveCreator>): Promise<void> {
    const creatorId = await this.following.creatorOf(params.handle);
    if (creatorId !== undefined) await this.following.leave(actor.userId, 'creator', creatorId);
  }

  @Route(endpoints.followTag)
  async followTag({ actor, params, refuse }: Call<typeof endpoints.followTag>): Promise<void> {
    const tag = tagOf(params.tag);
    if (tag === undefined) return refuse({ code: 'NotFound' });
    if (!(await this.following.follow(actor.userId, 'tag', tag))) refuse({ code: 'FollowsTooMany' });
  }

  @Route(endpoints.leaveTag)
  async leaveTag({ actor, params }: Call<typeof endpoints.leaveTag>): Promise<void> {
    const tag = tagOf(params.tag);
    if (tag !== undefined) await this.following.leave(actor.userId, 'tag', tag);
  }

  @Route(endpoints.readFeed)
  feed({ actor, query }: Call<typeof endpoints.readFeed>) {
    return this.following.feed(actor.userId, query);
  }
}
