import { randomUUID } from 'node:crypto';
import { Global, Injectable, Module } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RevokeStaffRole } from '../application/accounts/staff/staff-roles.js';
import { STAFF_ROLES } from '../domain/accounts/staff.js';
import { MakePayoutClaim } from '../application/payouts/payout-claims.js';
import { Withdrawals } from '../application/payouts/withdrawals.js';
import { AccountClosing } from '../application/accounts/personal-data.js';
import { PreparedExports } from '../application/exports/prepared-exports.js';
import { ForgetPayers } from '../application/payments/forget-payers.js';
import { PaymentGatewayUnavailable } from '../application/payments/payment-gateway.js';
import { OwnPackQueries } from '../application/publishing/queries.js';
import {
  ChangeSubscription,
  WithdrawPendingChange,
} from '../application/subscriptions/change-subscription.js';
import { refuse } from '../adapters/platform/http/request.js';
import { ExportsModule } from '../adapters/exports/exports.module.js';
import { PaymentsModule } from '../adapters/payments/payments.module.js';
import { PayoutsModule } from '../adapters/payouts/payouts.module.js';
import { PublishingModule } from '../adapters/publishing/publishing.module.js';
import { SubscriptionsModule } from '../adapters/subscriptions/subscriptions.module.js';
import { forEachCollectingErrors } from '../application/shared/for-each-collecting-errors.js';
import { UnpublishPack } from '../application/publishing/publish-pack.js';

const PAGE = 100;

/** Closes an account in every context, so that its user is no longer charged and no longer sells. */
@Injectable()
class ContextsClosing implements AccountClosing {
  constructor(
    private readonly commands: CommandBus,
    private readonly ownPacks: OwnPackQueries,
    private readonly withdrawals: Withdrawals,
    private readonly payers: ForgetPayers,
    private readonly files: PreparedExports,
  ) {}

  async close(userId: string): Promise<void> {
    for (const role of STAFF_ROLES) {
      const revoked = await this.commands.execute(new RevokeStaffRole(userId, role, userId));
      if (!revoked.accepted) return refuse(revoked.rejection);
    }
    await this.endPlan(userId);
    let cursor: string | undefined;
    do {
      const page = await this.ownPacks.list(userId, { limit: PAGE, cursor });
      for (const { id, status } of page.items)
        if (status === 'published') await this.commands.execute(new UnpublishPack({ userId, packId: id }));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
  }

  async owed(userId: string): Promise<{ owedMicroUsd: number; availableMicroUsd: number }> {
    return this.withdrawals.owed(userId);
  }

  async claim(userId: string): Promise<{ code: string; payableUntil: string }> {
    const { code, payableUntil } = await this.commands.execute(new MakePayoutClaim(userId));
    return { code, payableUntil };
  }

  async erased(userId: string): Promise<void> {
    await forEachCollectingErrors(
      [() => this.files.forget(userId), () => this.payers.begin(userId)],
      (forget) => forget(),
    );
  }

  private async endPlan(userId: string): Promise<void> {
    await this.commands.execute(new WithdrawPendingChange(userId));
    const outcome = await this.commands.execute(
      new ChangeSubscription(userId, { type: 'ScheduleCancellation' }, randomUUID()),
    );
    // Without a subscription there is nothing to end. Ignoring another refusal would keep charging the user.
    if (!outcome.accepted && outcome.rejection.code !== 'NoSubscription') return refuse(outcome.rejection);
    if (outcome.accepted && outcome.underWay)
      throw new PaymentGatewayUnavailable('the end of the plan has no answer yet');
  }
}

@Global()
@Module({
  imports: [ExportsModule, PaymentsModule, PayoutsModule, PublishingModule, SubscriptionsModule],
  providers: [{ provide: AccountClosing, useClass: ContextsClosing }],
  exports: [AccountClosing],
})
export class ClosingModule {}
