import { Injectable } from '@nestjs/common';
import { AccountStore } from './account-store.js';
import { PasswordHasher } from './password-hasher.js';
import { AccountMails } from './account-mails.js';
import { Admission, type Admitted } from './admission.js';
import type { Device } from './sessions/session-store.js';
import { AccountSettings } from './account-settings.js';

export type SignInOutcome =
  Admitted | { kind: 'refused'; rejection: { code: 'InvalidCredentials' } | { code: 'EmailNotConfirmed' } };

@Injectable()
export class SignIn {
  constructor(
    private readonly accounts: AccountStore,
    private readonly hasher: PasswordHasher,
    private readonly admission: Admission,
    private readonly mails: AccountMails,
    private readonly settings: AccountSettings,
  ) {}

  /** An unknown address and a wrong password get the same answer after the same time. */
  async run(
    { email, password }: { email: string; password: string },
    device: Device,
  ): Promise<SignInOutcome> {
    const account = await this.accounts.findByEmail(email);
    const matches = await this.hasher.verify(password, account?.passwordHash ?? null);
    if (!account || !matches) return { kind: 'refused', rejection: { code: 'InvalidCredentials' } };
    if (this.settings.confirmationRequired && !account.emailVerifiedAt) {
      // A person who knows the password may have lost the first mail.
      await this.mails.sendConfirmation(account);
      return { kind: 'refused', rejection: { code: 'EmailNotConfirmed' } };
    }
    return this.admission.admit(account, device);
  }
}
