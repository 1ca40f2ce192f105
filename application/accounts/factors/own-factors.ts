import { Injectable } from '@nestjs/common';
import { accept, reject, type Outcome } from '../../../domain/shared/decision.js';
import { AccountMails } from '../account-mails.js';
import { AccountSettings } from '../account-settings.js';
import { AccountStore, existingAccount, type Account } from '../account-store.js';
import { Sessions } from '../sessions/sessions.js';
import { AuthenticatorApp, RecoveryCodes } from './one-time-codes.js';
import type { Factors, PasskeyAttestation, PasskeyItem, PasskeyOrder } from './contract.js';
import { CodeStore, PasskeyStore, type Passkey } from './factor-stores.js';
import { Passkeys } from './passkeys.js';

export interface FactorOwner {
  userId: string;
  sessionId: string;
  isStaff: boolean;
}

type PasskeyRefused = { code: 'PasskeyRefused' };

const REFUSED = reject<PasskeyRefused>({ code: 'PasskeyRefused' });
const MAX_PASSKEYS = 20;
const purposeOf = ({ sessionId }: FactorOwner): string => `add:${sessionId}`;

type Removal = Promise<Outcome<object, { code: 'NotFound' | 'LastSecondFactor' }>>;

@Injectable()
export class OwnFactors {
  constructor(
    private readonly accounts: AccountStore,
    private readonly passkeys: Passkeys,
    private readonly keptPasskeys: PasskeyStore,
    private readonly app: AuthenticatorApp,
    private readonly recovery: RecoveryCodes,
    private readonly codes: CodeStore,
    private readonly sessions: Sessions,
    private readonly mails: AccountMails,
    private readonly settings: AccountSettings,
  ) {}

  async list(owner: FactorOwner): Promise<Factors> {
    const { userId } = owner;
    const app = await this.codes.app(userId, 'confirmed');
    const recovery = await this.codes.recoveryCodes(userId);
    return {
      passkeysOffered: this.settings.passkeysOffered,
      passkeys: (await this.keptPasskeys.of(userId)).map(passkeyItem),
      app: app ? { since: app.createdAt.toISOString() } : null,
      recoveryCodes: recovery ? { left: recovery.left, since: recovery.createdAt.toISOString() } : null,
      required: this.mustKeepOne(owner),
    };
  }

  async orderPasskey(owner: FactorOwner): Promise<Outcome<{ order: PasskeyOrder }, PasskeyRefused>> {
    if (!this.settings.passkeysOffered) return REFUSED;
    if ((await this.keptPasskeys.of(owner.userId)).length >= MAX_PASSKEYS) return REFUSED;
    const order = await this.passkeys.order(await this.accountOf(owner), purposeOf(owner));
    return { accepted: true, order };
  }

  async addPasskey(
    owner: FactorOwner,
    attestation: PasskeyAttestation,
    name: string,
  ): Promise<Outcome<{ passkey: PasskeyItem }, PasskeyRefused>> {
    const added = await this.passkeys.add(owner.userId, purposeOf(owner), attestation, name);
    if (!added) return REFUSED;
    await this.proved(owner, `The passkey “${name}” was added to your account.`);
    return { accepted: true, passkey: passkeyItem(added) };
  }

  async removePasskey(owner: FactorOwner, id: string): Removal {
    const kept = await this.keptPasskeys.of(owner.userId);
    const passkey = kept.find(({ credentialId }) => credentialId === id);
    if (!passkey) return reject({ code: 'NotFound' });
    const isLast = kept.length === 1 && !(await this.codes.app(owner.userId, 'confirmed'));
    if (isLast && this.mustKeepOne(owner)) return reject({ code: 'LastSecondFactor' });
    await this.keptPasskeys.remove(owner.userId, id);
    await this.removed(owner, isLast, `The passkey “${passkey.name}” was removed from your account.`);
    return accept();
  }

  async orderApp(owner: FactorOwner): Promise<{ secret: string; uri: string }> {
    return this.app.order(owner.userId, (await this.accountOf(owner)).email);
  }

  async confirmApp(
    owner: FactorOwner,
    code: string,
  ): Promise<Outcome<object, { code: 'WrongSecondFactor' }>> {
    if (!(await this.app.confirm(owner.userId, code))) return reject({ code: 'WrongSecondFactor' });
    await this.proved(owner, 'An authenticator app was added to your account.');
    return accept();
  }

  async removeApp(owner: FactorOwner): Removal {
    const isLast = (await this.keptPasskeys.of(owner.userId)).length === 0;
    if (isLast && this.mustKeepOne(owner)) return reject({ code: 'LastSecondFactor' });
    if (!(await this.codes.removeApp(owner.userId))) return reject({ code: 'NotFound' });
    await this.removed(owner, isLast, 'The authenticator app was removed from your account.');
    return accept();
  }

  async issueRecoveryCodes(
    owner: FactorOwner,
  ): Promise<Outcome<{ codes: string[] }, { code: 'NoSecondFactor' }>> {
    const { app, passkeys } = await this.list(owner);
    if (!app && passkeys.length === 0) return reject({ code: 'NoSecondFactor' });
    const codes = await this.recovery.issue(owner.userId);
    await this.mails.securityChanged(
      owner.userId,
      'New recovery codes were created. Earlier codes no longer work.',
    );
    return { accepted: true, codes };
  }

  private mustKeepOne({ isStaff }: FactorOwner): boolean {
    return isStaff && this.settings.staffNeedsSecondFactor;
  }

  /** Setting up a factor proves it, so the session counts as confirmed by a second factor. */
  private async proved(owner: FactorOwner, change: string): Promise<void> {
    await this.sessions.authenticated(owner.sessionId, 'second factor');
    await this.mails.securityChanged(owner.userId, change);
  }

  /** Without any other factor, the recovery codes are removed, because they would act as a second password. */
  private async removed(owner: FactorOwner, wasLast: boolean, change: string): Promise<void> {
    if (wasLast) await this.codes.removeAll(owner.userId);
    await this.mails.securityChanged(owner.userId, change);
  }

  private accountOf({ userId }: FactorOwner): Promise<Account> {
    return existingAccount(this.accounts, userId);
  }
}

const passkeyItem = (passkey: Passkey): PasskeyItem => ({
  id: passkey.credentialId,
  name: passkey.name,
  createdAt: passkey.createdAt.toISOString(),
  lastUsedAt: passkey.lastUsedAt?.toISOString() ?? null,
  synced: passkey.backedUp,
});
