import { Injectable } from '@nestjs/common';
import { accountPolicy } from '../../../domain/accounts/policy.js';
import { accept, reject, type Outcome } from '../../../domain/shared/decision.js';
import { WallClock } from '../../shared/clock.js';
import { AccountMails } from '../account-mails.js';
import { AccountSettings } from '../account-settings.js';
import type { Account } from '../account-store.js';
import { AttemptCounter, secondsUntil } from '../attempt-counter.js';
import type { FactorMethod } from '../values.js';
import { AuthenticatorApp } from './authenticator-app.js';
import type { PasskeyQuestion, SecondFactorBody } from './contract.js';
import { CodeStore, PasskeyStore } from './factor-stores.js';
import { isCode } from './one-time-code.js';
import { Passkeys } from './passkeys.js';
import { RecoveryCodes } from './recovery-codes.js';

/** After too many codes the next one is not checked, so it stays valid. */
export type NotProved =
  | { code: 'WrongSecondFactor' }
  | { code: 'TooManyRequests'; retryAfterSeconds: number };

/**
 * The source of a code. Signed-in sessions and known browsers have their own limit, so that strangers cannot exhaust
 * it.
 */
export type Guesser = { kind: 'own'; name: string } | { kind: 'stranger'; network: string | null };

const WRONG = reject({ code: 'WrongSecondFactor' } as const);

/** Lists the second factors of users, and checks their proofs. */
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

  /** @returns an empty array if the password is enough */
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

  /** @returns the challenge for this user's passkeys; null if the user has none */
  async question(userId: string, purpose: string): Promise<PasskeyQuestion | null> {
    const methods = await this.methodsOf(userId);
    return methods.includes('passkey') ? this.passkeys.question(purpose, userId) : null;
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
    const counted = this.limitsOf(userId, guesser);
    for (const { tries, most } of counted) {
      const { hits, resetsAt } = await this.counter.count(tries, accountPolicy.codeWindowMs);
      if (hits > most * this.settings.rateLimitScale)
        return reject({
          code: 'TooManyRequests',
          retryAfterSeconds: secondsUntil(resetsAt, this.clock.now()),
        });
    }
    const proved = isCode(proof.code)
      ? await this.app.prove(userId, proof.code)
      : await this.recover(account, proof.code);
    if (proved) await Promise.all(counted.map(({ tries }) => this.counter.forgive(tries)));
    return proved ? accept() : WRONG;
  }

  /** Limits guesses so strictly that guessing does not pay, even from many networks. */
  private limitsOf(userId: string, guesser: Guesser): Array<{ tries: string; most: number }> {
    const ofAccount = `second-factor:${userId}`;
    if (guesser.kind === 'own')
      return [{ tries: `${ofAccount}:${guesser.name}`, most: accountPolicy.codesPerWindow }];
    return [
      { tries: `${ofAccount}:${guesser.network}`, most: accountPolicy.codesPerNetwork },
      { tries: ofAccount, most: accountPolicy.codesPerWindow },
    ];
  }

  private async recover(account: Account, code: string): Promise<boolean> {
    const left = await this.recovery.use(account.userId, code);
    if (left !== undefined) await this.mails.sendRecoveryCodeUsed(account, left);
    return left !== undefined;
  }
}
