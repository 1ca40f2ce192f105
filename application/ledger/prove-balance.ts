import { Injectable } from '@nestjs/common';
import { creditAccountDecider, type CreditEvent } from '../../domain/credits/credit-account.js';
import { AccountStore } from '../accounts/account-store.js';
import { EventStore } from '../shared/event-store.js';
import { CreditStatementQueries } from '../credits/queries.js';
import type { BalanceProof } from './contract.js';

@Injectable()
export class ProveBalance {
  constructor(
    private readonly log: EventStore,
    private readonly statement: CreditStatementQueries,
    private readonly accounts: AccountStore,
  ) {}

  async of(userId: string): Promise<BalanceProof | undefined> {
    const proof = await this.once(userId);
    if (proof.events.length === 0 && !(await this.accounts.findById(userId))) return undefined;
    // A purchase between reading the shown balance and reading the log makes them differ, so a mismatch is checked a
    // second time.
    return proof.holds ? proof : this.once(userId);
  }

  private async once(userId: string): Promise<BalanceProof> {
    const shownBalance = (await this.statement.balance(userId)).balance;
    const recorded = await this.log.readStream<CreditEvent>(creditAccountDecider.streamOf(userId));
    let account = creditAccountDecider.initialState;
    const events = recorded.map(({ recordedAt, ...event }) => {
      const before = account.balanceCredits;
      account = creditAccountDecider.evolve(account, event);
      return {
        ...event,
        data: { ...event.data },
        metadata: { ...event.metadata },
        recordedAt: recordedAt.toISOString(),
        delta: account.balanceCredits - before,
        balanceAfter: account.balanceCredits,
      };
    });
    return {
      userId,
      balance: account.balanceCredits,
      shownBalance,
      holds: shownBalance === account.balanceCredits,
      lots: account.lots.map(({ lotId, kind, credits, spentCredits, grantedAt }) => ({
        lotId,
        kind,
        remainingCredits: credits - spentCredits,
        grantedAt,
      })),
      events,
      head: await this.log.head(),
    };
  }
}
