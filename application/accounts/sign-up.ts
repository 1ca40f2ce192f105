import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isReservedName } from '../../domain/accounts/display-name.js';
import { judgePassword, type WeakPassword } from '../../domain/accounts/password.js';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { AccountStore } from './account-store.js';
import { WallClock } from '../shared/clock.js';
import { CommonPasswords } from './common-passwords.js';
import { PasswordHasher } from './password-hasher.js';
import { AccountMails } from './account-mails.js';
import { defaultDisplayName } from './default-name.js';
import type { NameTaken } from './display-names.js';
import { Admission } from './admission.js';
import type { Device } from './sessions/session-store.js';
import type { IssuedToken } from './sessions/sessions.js';
import { AccountSettings } from './account-settings.js';

export interface SignUpRequest {
  email: string;
  password: string;
  displayName?: string;
}

export type SignUpOutcome = Outcome<
  {
    /** Null if the user has to confirm the address, also if it has an account: strangers cannot find out. */
    token: IssuedToken | null;
  },
  WeakPassword | NameTaken
>;

@Injectable()
export class SignUp {
  constructor(
    private readonly accounts: AccountStore,
    private readonly hasher: PasswordHasher,
    private readonly common: CommonPasswords,
    private readonly admission: Admission,
    private readonly mails: AccountMails,
    private readonly clock: WallClock,
    private readonly settings: AccountSettings,
  ) {}

  async run({ email, password, displayName }: SignUpRequest, device: Device): Promise<SignUpOutcome> {
    const judged = judgePassword(password, { email, displayName }, this.common);
    if (!judged.accepted) return judged;
    if (displayName !== undefined && isReservedName(displayName)) return reject({ code: 'DisplayNameTaken' });
    const account = await this.create(email, password, displayName ?? defaultDisplayName());
    if (!account) {
      const owner = await this.accounts.findByEmail(email);
      if (owner) await this.mails.sendAlreadySignedUp(owner);
      return { accepted: true, token: null };
    }
    await this.mails.sendConfirmation(account);
    if (this.settings.confirmationRequired) return { accepted: true, token: null };
    return { accepted: true, token: await this.admission.begin(account, device) };
  }

  /**
   * Creates a confirmed account without sending a mail, for the demo and the command line. Idempotent.
   * @returns the user id
   */
  async ensure(request: SignUpRequest & { displayName: string }): Promise<string> {
    const found = await this.accounts.findByEmail(request.email);
    const account = found ?? (await this.create(request.email, request.password, request.displayName));
    const userId = account?.userId ?? (await this.accounts.findByEmail(request.email))?.userId;
    if (!userId) throw new Error(`The account ${request.email} cannot be made`);
    if (!found) await this.accounts.setEmail(userId, request.email, this.clock.now(), this.clock.now());
    return userId;
  }

  private async create(email: string, password: string, displayName: string) {
    const account = {
      userId: randomUUID(),
      email,
      passwordHash: await this.hasher.hash(password),
      displayName,
      avatarKey: null,
      emailVerifiedAt: null,
      createdAt: this.clock.now(),
    };
    return (await this.accounts.create(account)) ? account : undefined;
  }
}
