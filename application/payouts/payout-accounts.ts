import { serverPaths } from '../pages/paths.js';
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../shared/clock.js';
import { InTurn } from '../shared/in-turn.js';
import { PaymentGatewayUnavailable, PaymentWords } from '../payments/payment-gateway.js';
import {
  PayoutGateway,
  type ConnectedAccount,
  type ConnectedAccountNow,
  type PayoutCountries,
} from '../payments/payout-gateway.js';
import type { ConnectStatus } from './contract.js';
import { TaxDetailStore } from './tax-details.js';

const COUNTRIES_KEPT_MS = 86_400_000;

export abstract class ConnectedAccounts {
  abstract find(creatorId: string): Promise<ConnectedAccount | undefined>;
  abstract creatorOf(accountId: string): Promise<string | undefined>;
  /** If two requests connect an account at once, the first stays. @param replaces the account that no longer exists */
  abstract connect(
    creatorId: string,
    account: ConnectedAccount,
    now: Date,
    replaces?: string,
  ): Promise<ConnectedAccount>;
  /** Lists creators from whom the provider needs details before it can pay them. */
  abstract needingDetails(): Promise<{ creatorId: string; requirements: string[] }[]>;
  abstract refresh(account: ConnectedAccount, now: Date): Promise<void>;
}

export class OnboardingReturn {
  constructor(
    readonly returnUrl: string,
    readonly refreshUrl: string,
  ) {}

  static on(publicUrl: string): OnboardingReturn {
    const back = (outcome: string) => `${publicUrl}${serverPaths.dashboardAfterOnboarding(outcome)}`;
    return new OnboardingReturn(back('success'), back('refresh'));
  }
}

@Injectable()
export class PayoutAccounts {
  private readonly turns = new InTurn();
  private keptCountries: { known: PayoutCountries; until: number } | undefined;

  constructor(
    private readonly gateway: PayoutGateway,
    private readonly accounts: ConnectedAccounts,
    private readonly taxDetails: TaxDetailStore,
    private readonly returnTo: OnboardingReturn,
    private readonly words: PaymentWords,
    private readonly clock: Clock,
  ) {}

  async countries(): Promise<PayoutCountries> {
    const now = this.clock.now().getTime();
    if (!this.keptCountries || this.keptCountries.until < now)
      this.keptCountries = { known: await this.gateway.listCountries(), until: now + COUNTRIES_KEPT_MS };
    return this.keptCountries.known;
  }

  /** Returns undefined if the provider pays no creators in the country. An existing account keeps its country. */
  async startOnboarding(creator: {
    creatorId: string;
    email: string;
    country: string;
  }): Promise<{ url: string } | undefined> {
    const known = await this.accounts.find(creator.creatorId);
    const account =
      (known && (await this.refreshed(creator.creatorId, known))) ?? (await this.open(creator, known));
    if (!account) return undefined;
    const { returnUrl, refreshUrl } = this.returnTo;
    return this.gateway.openOnboarding({ accountId: account.accountId, returnUrl, refreshUrl });
  }

  /** Returns the provider's present report, or the stored one if the provider does not answer. */
  async status(creatorId: string): Promise<ConnectStatus> {
    const account = await this.current(creatorId);
    const known: Partial<ConnectedAccountNow> = account ?? {};
    const { accountId = null, payoutsEnabled = false, chargesEnabled = false, country = null } = known;
    const { requirements = [], pastDue = [], problems = {}, deadline } = known;
    const needs = new Map<string, ConnectStatus['needs'][number]>();
    for (const code of new Set([...requirements, ...pastDue])) {
      const text = this.words.ofRequirement(code);
      const { late, problem } = needs.get(text) ?? { late: false, problem: null };
      needs.set(text, {
        text,
        late: late || pastDue.includes(code),
        problem: problem ?? problems[code] ?? null,
      });
    }
    return {
      connected: account !== undefined,
      payoutsEnabled,
      chargesEnabled,
      accountId,
      requirements,
      needs: [...needs.values()],
      neededBy: deadline?.toISOString() ?? null,
      country,
    };
  }

  /** Returns the creator's account. Undefined if no account is connected, or the account no longer exists. */
  async current(creatorId: string): Promise<ConnectedAccount | ConnectedAccountNow | undefined> {
    const known = await this.accounts.find(creatorId);
    if (!known) return undefined;
    return this.refreshed(creatorId, known).catch((error: unknown) => {
      if (error instanceof PaymentGatewayUnavailable) return known;
      throw error;
    });
  }

  /** Stores the present state of a changed account. @returns whether it belongs to one of our creators */
  async refresh(accountId: string): Promise<boolean> {
    const creatorId = await this.accounts.creatorOf(accountId);
    const known = creatorId === undefined ? undefined : await this.accounts.find(creatorId);
    if (creatorId === undefined || !known) return false;
    await this.refreshed(creatorId, known);
    return true;
  }

  /** In turn, so that an older answer of the provider does not replace a newer one. */
  private refreshed(creatorId: string, known: ConnectedAccount): Promise<ConnectedAccountNow | undefined> {
    return this.turns.run(creatorId, () => this.read(creatorId, known));
  }

  private async read(creatorId: string, known: ConnectedAccount): Promise<ConnectedAccountNow | undefined> {
    const account = await this.gateway.readAccount(known.accountId);
    if (!account) return undefined;
    const { holder, country } = account;
    await this.accounts.refresh(account, this.clock.now());
    await this.taxDetails.learn(creatorId, { ...holder, country }, this.clock.now());
    return account;
  }

  private async open(
    creator: { creatorId: string; email: string; country: string },
    gone: ConnectedAccount | undefined,
  ): Promise<ConnectedAccount | undefined> {
    const { creatorId, email, country } = creator;
    const { home, all } = await this.countries();
    if (!all.includes(country)) return undefined;
    const request = JSON.stringify([email, country, gone?.accountId]);
    // Two clicks create one account, because they use the same key.
    const hash = createHash('sha256').update(request).digest('hex').slice(0, 16);
    const account = await this.gateway.createAccount({
      ...creator,
      isAbroad: country !== home,
      idempotencyKey: `connect:${creatorId}:${hash}`,
    });
    return this.accounts.connect(creatorId, account, this.clock.now(), gone?.accountId);
  }
}
