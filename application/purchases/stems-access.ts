import { Injectable } from '@nestjs/common';
import { SubscriptionQueries } from '../subscriptions/queries.js';
import type { SampleFile } from '../storage/queries.js';

/** Stems go to members of Studio. The plan counts when they are fetched, not when the sample was bought. */
@Injectable()
export class StemsAccess {
  constructor(private readonly subscriptions: SubscriptionQueries) {}

  /** Answers for each file whether the user may fetch its stems. Creators need no plan for their own. */
  async of(userId: string): Promise<(file: Pick<SampleFile, 'creatorId'>) => boolean> {
    const { plan, status } = await this.subscriptions.current(userId);
    const inStudio = plan === 'studio' && status === 'active';
    return ({ creatorId }) => inStudio || creatorId === userId;
  }
}
