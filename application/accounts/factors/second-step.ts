import { Injectable } from '@nestjs/common';
import { accountPolicy } from '../../../domain/accounts/policy.js';
import { reject, type Outcome } from '../../../domain/shared/decision.js';
import { WallClock } from '../../shared/clock.js';
import { AccountSettings } from '../account-settings.js';
import { AccountMails } from '../account-mails.js';
import { AccountStore, type Account } from '../account-store.js';
import { KnownBrowsers } from '../sessions/known-browsers.js';
import { hashToken, newSecret } from '../sessions/sessions.js';
import type { FactorMethod } from '../values.js';
import type { PasskeyAssertion, PasskeyQuestion, SecondFactorBody } from './contract.js';
import { FactorProofs, type Guesser, type NotProved } from './factor-proofs.js';
import { PendingSignInStore } from './factor-stores.js';
import { Passkeys } from './passkeys.js';

/** A sign-in whose first proof was right and which waits for the second one. */
export interface WaitingSignIn {
  token: string;
  methods: FactorMethod[];
}

export type SecondStepOutcome = Outcome<
  { account: Account; authenticatedAt: Date | undefined },
  { code: 'SecondFactorExpired' } | NotProved
>;

const EXPIRED = reject({ code: 'SecondFactorExpired' } as const);
const ANY_USER = 'sign-in';
const purposeOf = (tokenHash: string): string => `second:${tokenHash}`;

@Injectable()
export class SecondStep {
  constructor(
    private readonly accounts: AccountStore,
    private readonly pending: PendingSignInStore,
    private readonly proofs: FactorProofs,
    private readonly known: KnownBrowsers,
    private readonly mails: AccountMails,
    private readonly passkeys: Passkeys,
    private readonly clock: WallClock,
    private readonly settings: AccountSettings,
  ) {}

  /** @returns undefined if the first proof is enough */
  async begin(userId: string, authenticatedAt: Date | undefined): Promise<WaitingSignIn | undefined> {
    const methods = await this.proofs.methodsOf(userId);
    if (methods.length === 0) return undefined;
    const token = newSecret();
    const expiresAt = new Date(this.clock.now().getTime() + accountPolicy.challengeLifetimeMs);
    const waiting = { userId, authenticatedAt: authenticatedAt ?? null };
    await this.pending.start(hashToken(token), waiting, expiresAt);
    return { token, methods };
  }

  async question(
    token: string,
  ): Promise<{ methods: FactorMethod[]; passkey: PasskeyQuestion | null } | undefined> {
    const tokenHash = hashToken(token);
    const waiting = await this.pending.find(tokenHash, this.clock.now());
    if (!waiting) return undefined;
    const { userId } = waiting;
    return {
      methods: await this.proofs.methodsOf(userId),
      passkey: await this.proofs.question(userId, purposeOf(tokenHash)),
    };
  }

  /** @returns undefined if passkeys are not offered */
  async passkeyQuestion(): Promise<PasskeyQuestion | undefined> {
    return this.settings.passkeysOffered ? this.passkeys.question(ANY_USER) : undefined;
  }

  /** @returns the user who signs in with a passkey alone */
  async byPasskey(assertion: PasskeyAssertion): Promise<Account | undefined> {
    const userId = await this.passkeys.prove(ANY_USER, assertion);
    return userId === undefined ? undefined : this.accounts.findById(userId);
  }

  /**
   * Ends the sign-in after a right proof or five wrong ones.
   * @param browser token of the browser's cookie, present if it has signed in to any account before
   */
  async prove(
    token: string,
    proof: SecondFactorBody,
    { browser, network }: { browser: string | undefined; network: string | null },
  ): Promise<SecondStepOutcome> {
    const tokenHash = hashToken(token);
    const waiting = await this.pending.attempt(tokenHash, this.clock.now(), accountPolicy.proofsPerSignIn);
    const account = waiting && (await this.accounts.findById(waiting.userId));
    if (!waiting || !account) return EXPIRED;
    const guesser: Guesser =
      browser && (await this.known.isKnown(account.userId, browser))
        ? { kind: 'own', name: hashToken(browser) }
        : { kind: 'stranger', network };
    const proved = await this.proofs.prove(account, purposeOf(tokenHash), proof, guesser);
    if (proved.accepted) {
      const ended = await this.pending.end(tokenHash);
      const authenticatedAt = waiting.authenticatedAt ?? undefined;
      return ended ? { accepted: true, account, authenticatedAt } : EXPIRED;
    }
    if (proved.rejection.code === 'WrongSecondFactor' && waiting.attempts === accountPolicy.proofsPerSignIn) {
      await this.pending.end(tokenHash);
      await this.mails.sendWrongProofs(account);
    }
    return proved;
  }
}
