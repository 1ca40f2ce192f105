import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import * as endpoints from '../../application/payouts/endpoints.js';
import { PeopleQueries } from '../../application/accounts/staff/staff-queries.js';
import { RedeemPayoutClaim } from '../../application/payouts/payout-claims.js';
import { RequestRelease } from '../../application/payouts/request-release.js';
import {
  PayoutClaimQueries,
  PayoutQueries,
  SalesUnderReviewQueries,
} from '../../application/payouts/queries.js';
import { CreatorAccountQueries } from './creator-accounts.js';
import { Withdrawals } from '../../application/payouts/withdrawals.js';
import { Posting } from '../../application/ledger/posting.js';
import { idOfRequest } from '../platform/http/idempotency.js';
import { refuse as refuseAny } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';

@Controller()
export class FinancePeopleController {
  constructor(
    private readonly lists: PeopleQueries,
    private readonly accounts: CreatorAccountQueries,
    private readonly withdrawals: Withdrawals,
    private readonly payouts: PayoutQueries,
    private readonly posting: Posting,
    private readonly claimed: PayoutClaimQueries,
    private readonly underReview: SalesUnderReviewQueries,
    private readonly commands: CommandBus,
  ) {}

  @Route(endpoints.lookUpPeople)
  people({ query }: Call<typeof endpoints.lookUpPeople>) {
    return this.lists.people(query.q);
  }

  @Route(endpoints.listNames)
  names({ query }: Call<typeof endpoints.listNames>) {
    return this.lists.names(query.ids);
  }

  @Route(endpoints.listCreatorAccounts)
  async list({ query }: Call<typeof endpoints.listCreatorAccounts>) {
    await this.posting.allPosted();
    return this.accounts.list(query);
  }

  @Route(endpoints.readCreatorAccount)
  async account({ params: { creatorId }, refuse }: Call<typeof endpoints.readCreatorAccount>) {
    await this.posting.allPosted();
    const account = await this.accounts.find(creatorId);
    if (!account) return refuse({ code: 'NotFound' });
    const { heldMicroUsd, heldUntil } = await this.withdrawals.balance(creatorId);
    return {
      ...account,
      heldMicroUsd,
      heldUntil,
      availableMicroUsd: account.balanceMicroUsd - heldMicroUsd,
    };
  }

  @Route(endpoints.listCreatorStatements)
  statements({ params, query }: Call<typeof endpoints.listCreatorStatements>) {
    return this.payouts.list(params.creatorId, query);
  }

  @Route(endpoints.listSalesUnderReview)
  async salesUnderReview({ query }: Call<typeof endpoints.listSalesUnderReview>) {
    await this.posting.allPosted();
    return this.underReview.list(query);
  }

  @Route(endpoints.releaseSale)
  async release({ actor, idempotencyKey, params, body }: Call<typeof endpoints.releaseSale>) {
    const id = idOfRequest(actor, idempotencyKey);
    await this.posting.allPosted();
    const asked = await this.commands.execute(
      new RequestRelease({ approvalId: id, ...params, ...body, by: actor.userId }),
    );
    if (asked.accepted) return { id, status: 'waiting' as const };
    return refuseAny(asked.rejection);
  }

  @Route(endpoints.listClaims)
  async claims() {
    await this.posting.allPosted();
    return { items: await this.claimed.list() };
  }

  @Route(endpoints.payClaim)
  async payClaim({ actor, body, idempotencyKey: key, refuse }: Call<typeof endpoints.payClaim>) {
    const outcome = await this.commands.execute(new RedeemPayoutClaim({ ...body, key, actor: actor.userId }));
    if (outcome.accepted) return outcome.payout;
    if (outcome.rejection.code === 'TransferContradicts') throw new Error(outcome.rejection.detail);
    return refuse(outcome.rejection);
  }

  @Route(endpoints.readCreatorStatement)
  async statement({ params, refuse }: Call<typeof endpoints.readCreatorStatement>) {
    return (await this.payouts.statement(params.creatorId, params.id)) ?? refuse({ code: 'NotFound' });
  }
}
