import { Injectable } from '@nestjs/common';
import { accept, reject, type Outcome } from '../../domain/shared/decision.js';
import { AccountStore } from './account-store.js';
import type { ConfirmBody } from './contract.js';
import { FactorProofs, type NotProved } from './factors/factor-proofs.js';
import { PasswordHasher } from './password-hasher.js';
import { Sessions } from './sessions/sessions.js';

/** Checks the password or a second factor again in a running session, which then counts as freshly signed in. */
@Injectable()
export class ConfirmOwner {
  constructor(
    private readonly accounts: AccountStore,
    private readonly hasher: PasswordHasher,
    private readonly proofs: FactorProofs,
    private readonly sessions: Sessions,
  ) {}

  async run(
    { userId, sessionId }: { userId: string; sessionId: string },
    proof: ConfirmBody,
  ): Promise<Outcome<object, { code: 'WrongPassword' } | NotProved>> {
    const account = await this.accounts.findById(userId);
    if ('password' in proof) {
      if (!(await this.hasher.verify(proof.password, account?.passwordHash ?? null)))
        return reject({ code: 'WrongPassword' });
      await this.sessions.authenticated(sessionId, 'password');
      return accept();
    }
    if (!account) return reject({ code: 'WrongSecondFactor' });
    const session = { kind: 'own', name: sessionId } as const;
    const proved = await this.proofs.prove(account, `confirm:${sessionId}`, proof, session);
    if (proved.accepted) await this.sessions.authenticated(sessionId, 'second factor');
    return proved;
  }
}
