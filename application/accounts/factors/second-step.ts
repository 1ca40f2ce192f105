import { Injectable } from '@nestjs/common';
import type * as z from 'zod';
import { accountPolicy } from '../../../domain/accounts/policy.js';
import { accept, reject, type Outcome } from '../../../domain/shared/decision.js';
import { WallClock } from '../../shared/clock.js';
import { AccountMails } from '../account-mails.js';
import { AccountSettings } from '../account-settings.js';
import { AccountStore, type Account } from '../account-store.js';
import { AttemptCounter, secondsUntil } from '../attempt-limits.js';
import type { FactorMethod } from '../values.js';
import { AuthenticatorApp, isCode, RecoveryCodes } from './one-time-codes.js';
import type {
  PasskeyAssertion,
  PasskeyQuestion,
  SecondFactorBody,
  SecondFactorQuestion,
} from './contract.js';
import { CodeStore, PasskeyStore, PendingSignInStore } from './factor-stores.js';
import { Passkeys } from './passkeys.js';
import { KnownBrowsers, hashToken, newSecret } from '../sessions/sessions.js';

/** `TooManyRequests`: the code was not checked, so the user can still use it later. */
export type NotProved =
  | { code: 'WrongSecondFactor' }
  | { code: 'TooManyRequests'; retryAfterSeconds: number };

/** The sender of a code. Each session and each known browser has its own limit, which strangers cannot exhaust. */
export type Guesser = { kind: 'own'; name: string } | { kind: 'stranger'; network: string | null };

/** A counter of wrong codes. Beyond `most`, one code is checked every `paceMs`, or none until the window ends. */
interface Limit {
  tries: string;
  most: number;
  windowMs: number;
  paceMs?: number;
}

/**
 * Returns the limits of wrong codes. Devices that the account has not used before also share one limit for this
 * account, whatever their network.
 */
function limitsOf(userId: string, guesser: Guesser): Limit[] {
  const ofAccount = `second-factor:${userId}`;
  const { ownCodes, ownCodesWindowMs, ownCodesPaceMs: paceMs } = accountPolicy;
  if (guesser.kind === 'own')
    return [{ tries: `${ofAccount}:${guesser.name}`, most: ownCodes, windowMs: ownCodesWindowMs, paceMs }];
  const { codesPerNetwork, codesPerWindow, codeWindowMs: windowMs } = accountPolicy;
  return [
    { tries: `${ofAccount}:${guesser.network}`, most: codesPerNetwork, windowMs },
    { tries: ofAccount, most: codesPerWindow, windowMs },
  ];
}

const WRONG = reject({ code: 'WrongSecondFactor' } as const);

@Injectable()
export class FactorProofs {
  constructor(
    private readonly passkeys: Passkeys,
    private readonly app: AuthenticatorApp,
    private readonly recovery: RecoveryCodes,
    private readonly kept: PasskeyStore,
    private readonly codes: CodeStore,
    private readonly counter: AttemptCounter,
    private readonly mails: AccountMails,
    private readonly clock: WallClock,
    private readonly settings: AccountSettings,
  ) {}

  /** @returns the second factors of the user; an empty array if the password is sufficient */
  async methodsOf(userId: string): Promise<FactorMethod[]> {
    const passkeys = this.settings.passkeysOffered && (await this.kept.of(userId)).length > 0;
    const app = await this.codes.app(userId, 'confirmed');
    if (!passkeys && !app) return [];
    const recovery = await this.codes.recoveryCodes(userId);
    return [
      ...(passkeys ? (['passkey'] as const) : []),
      ...(app ? (['app'] as const) : []),
      ...(recovery?.left ? (['recovery-code'] as const) : []),
    ];
  }

  /** Returns the user's second factors, with a challenge for passkeys. */
  async question(userId: string, purpose: string): Promise<z.infer<typeof SecondFactorQuestion>> {
    const methods = await this.methodsOf(userId);
    const passkey = methods.includes('passkey') ? await this.passkeys.question(purpose, userId) : null;
    return { methods, passkey };
  }

  async prove(
    account: Account,
    purpose: string,
    proof: SecondFactorBody,
    guesser: Guesser,
  ): Promise<Outcome<object, NotProved>> {
    const { userId } = account;
    if ('passkey' in proof)
      return (await this.passkeys.prove(purpose, proof.passkey)) === userId ? accept() : WRONG;
    const counted = limitsOf(userId, guesser);
    for (const limit of counted) {
      const until = await this.waitFor(limit);
      if (until)
        return reject({ code: 'TooManyRequests', retryAfterSeconds: secondsUntil(until, this.clock.now()) });
    }
    const proved = isCode(proof.code)
      ? await this.app.prove(userId, proof.code)
      : await this.recover(account, proof.code);
    if (proved)
      await Promise.all(
        counted.map(({ tries, paceMs }) =>
          paceMs ? this.counter.reset(tries) : this.counter.forgive(tries),
        ),
      );
    return proved ? accept() : WRONG;
  }

  /** Counts a code. @returns when a code is checked again, if this one is not */
  private async waitFor({ tries, most, windowMs, paceMs }: Limit): Promise<Date | undefined> {
    const { hits, resetsAt } = await this.counter.count(tries, windowMs);
    if (hits <= most * this.settings.rateLimitScale) return undefined;
    if (paceMs === undefined) return resetsAt;
    // Codes that are not checked do not prolong the wait.
    const paced = await this.counter.count(`${tries}:pace`, paceMs);
    return paced.hits > 1 ? paced.resetsAt : undefined;
  }

  private async recover(account: Account, code: string): Promise<boolean> {
    const left = await this.recovery.use(account.userId, code);
    if (left !== undefined)
      await this.mails.send(account, { letter: 'recovery-code-used', left: String(left) });
    return left !== undefined;
  }
}

/** A sign-in that passed its first step, such as the password, and waits for the second factor. */
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

  /** @returns the sign-in that waits; undefined if the user has no second factor */
  async begin(userId: string, authenticatedAt: Date | undefined): Promise<WaitingSignIn | undefined> {
    const methods = await this.proofs.methodsOf(userId);
    if (methods.length === 0) return undefined;
    const token = newSecret();
    const expiresAt = new Date(this.clock.now().getTime() + accountPolicy.challengeLifetimeMs);
    const waiting = { userId, authenticatedAt: authenticatedAt ?? null };
    await this.pending.start(hashToken(token), waiting, expiresAt);
    return { token, methods };
  }

  async question(token: string): Promise<z.infer<typeof SecondFactorQuestion> | undefined> {
    const tokenHash = hashToken(token);
    const waiting = await this.pending.find(tokenHash, this.clock.now());
    return waiting && this.proofs.question(waiting.userId, purposeOf(tokenHash));
  }

  async passkeyQuestion(): Promise<PasskeyQuestion | undefined> {
    return this.settings.passkeysOffered ? this.passkeys.question(ANY_USER) : undefined;
  }

  async byPasskey(assertion: PasskeyAssertion): Promise<Account | undefined> {
    const userId = await this.passkeys.prove(ANY_USER, assertion);
    return userId === undefined ? undefined : this.accounts.findById(userId);
  }

  /** Checks a proof. A right one or five wrong ones end the waiting sign-in. @param browser the browser's token */
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
      await this.mails.send(account, { letter: 'wrong-proofs' });
    }
    return proved;
  }
}
