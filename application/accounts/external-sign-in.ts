import { Inject, Injectable, Optional } from '@nestjs/common';
import { isReservedName } from '../../domain/accounts/display-name.js';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { accountPolicy } from '../../domain/accounts/policy.js';
import { AccountStore, defaultDisplayName, newAccount, type Account } from './account-store.js';
import { WallClock } from '../shared/clock.js';
import { DisplayName } from './contract.js';
import { pathOfThisSite } from './values.js';
import { Admission, type Admitted } from './sign-in.js';
import type { Device } from './sessions/session-store.js';
import { hashToken, newSecret } from './sessions/sessions.js';
import { AccountSettings } from './account-settings.js';
import { FirstCredits } from './first-credits.js';

export interface ExternalIdentity {
  issuer: string;
  /** The user's id at the provider. Unlike the e-mail address, it never changes. */
  subject: string;
  email: string;
  emailVerified: boolean;
  displayName?: string;
  /** When the user last signed in at the provider. Absent if the provider does not report it. */
  authenticatedAt?: Date;
}

/** Secrets that a browser keeps during a sign-in at the provider, to prove that the answer belongs to its sign-in. */
export interface SignInSecrets {
  /** A value that the provider returns in the address of the callback. */
  state: string;
  /** A value that the provider returns in the ID token. */
  nonce: string;
  /** Redeems the code of the callback. The provider first gets only its SHA-256 (PKCE). */
  codeVerifier: string;
}

export class IdentityProviderUnavailable extends Error {
  override name = 'IdentityProviderUnavailable';
}

/** A provider that speaks OpenID Connect (authorisation code with PKCE), such as Google. */
export abstract class IdentityProvider {
  abstract begin(redirectUri: string): Promise<{ url: string; secrets: SignInSecrets }>;
  /** @returns undefined if the answer or its code belong to another sign-in @throws IdentityProviderUnavailable */
  abstract identify(
    answer: { code: string; state: string },
    secrets: SignInSecrets,
    redirectUri: string,
  ): Promise<ExternalIdentity | undefined>;
}

export interface PendingLink {
  tokenHash: string;
  issuer: string;
  subject: string;
  /** The account that gets the identity once its password is entered. */
  userId: string;
  expiresAt: Date;
}

export abstract class IdentityStore {
  abstract findUser(issuer: string, subject: string): Promise<string | undefined>;
  abstract link(identity: { issuer: string; subject: string; userId: string; linkedAt: Date }): Promise<void>;
  /** Stores an identity that will be linked once the account's password is entered. */
  abstract keepPending(link: PendingLink): Promise<void>;
  /** Links a stored identity to its account. Has no effect a second time, or for another account. */
  abstract linkPending(tokenHash: string, userId: string, now: Date): Promise<void>;
}

export interface SignInAttempt extends SignInSecrets {
  returnTo: string;
}

export type ExternalOutcome = Outcome<
  | Admitted
  /** The address has an account with a password. Signing in with this password and `linkToken` links the identity. */
  | { kind: 'password needed'; linkToken: string },
  { code: 'IdentityRefused' }
>;

const NEVER = new Date(0);
const CALLBACK_PATH = '/api/auth/google/callback';

/**
 * Returns when the user proved their identity: the time of the sign-in at Google, because an open Google session does
 * not prove who uses the browser. If Google sends no time, only accounts without a password count as freshly signed in,
 * because they have no other proof.
 */
const freshSince = ({ passwordHash }: Account, { authenticatedAt }: ExternalIdentity): Date | undefined =>
  authenticatedAt ?? (passwordHash ? NEVER : undefined);

@Injectable()
export class ExternalSignIn {
  constructor(
    private readonly accounts: AccountStore,
    private readonly identities: IdentityStore,
    private readonly admission: Admission,
    private readonly clock: WallClock,
    private readonly settings: AccountSettings,
    @Optional() @Inject(IdentityProvider) private readonly provider?: IdentityProvider | null,
    @Optional() @Inject(FirstCredits) private readonly first?: FirstCredits,
  ) {}

  /** Begins a sign-in at the provider. @returns undefined if no provider is configured */
  async begin(returnTo: string | undefined): Promise<{ url: string; attempt: SignInAttempt } | undefined> {
    if (!this.provider) return undefined;
    const { url, secrets } = await this.provider.begin(this.redirectUri());
    return { url, attempt: { ...secrets, returnTo: this.ownPath(returnTo) } };
  }

  /** @throws IdentityProviderUnavailable */
  async complete(
    answer: { code: string; state: string },
    attempt: SignInAttempt,
    device: Device,
  ): Promise<ExternalOutcome> {
    const identity = await this.provider?.identify(answer, attempt, this.redirectUri());
    return identity?.emailVerified ? this.signInAs(identity, device) : reject({ code: 'IdentityRefused' });
  }

  async linkAfterPassword(linkToken: string, userId: string): Promise<void> {
    await this.identities.linkPending(hashToken(linkToken), userId, this.clock.now());
  }

  /** Returns a path if it is a page of this site, otherwise the start page. */
  ownPath(asked: string | undefined): string {
    return pathOfThisSite(asked, this.settings.publicUrl);
  }

  private async signInAs(identity: ExternalIdentity, device: Device): Promise<ExternalOutcome> {
    const { issuer, subject } = identity;
    const known = await this.identities.findUser(issuer, subject);
    const owner = known && (await this.accounts.findById(known));
    if (owner) {
      const account = await this.confirmed(owner, identity);
      return {
        accepted: true,
        ...(await this.admission.admit(account, device, freshSince(account, identity))),
      };
    }
    const created = await this.createAccount(identity);
    const namesake = created ? undefined : await this.accounts.findByEmail(identity.email);
    // The server may have died before it linked a new account. Without a password and a confirmed address it has no
    // other owner.
    const unlinked =
      created ?? (namesake?.passwordHash === null && !namesake.emailVerifiedAt ? namesake : undefined);
    if (unlinked) {
      const { userId } = unlinked;
      await this.identities.link({ issuer, subject, userId, linkedAt: this.clock.now() });
      const account = await this.confirmed(unlinked, identity);
      return { accepted: true, kind: 'signed in', token: await this.admission.begin(account, device) };
    }
    if (!namesake?.passwordHash) return reject({ code: 'IdentityRefused' });
    const linkToken = newSecret();
    const expiresAt = new Date(this.clock.now().getTime() + accountPolicy.identityLinkLifetimeMs);
    await this.identities.keepPending({
      tokenHash: hashToken(linkToken),
      issuer,
      subject,
      userId: namesake.userId,
      expiresAt,
    });
    return { accepted: true, kind: 'password needed', linkToken };
  }

  /** Confirms the account's address, which the provider checked, unless it is confirmed or another one. */
  private async confirmed(account: Account, { email }: ExternalIdentity): Promise<Account> {
    const { userId, emailVerifiedAt } = account;
    if (emailVerifiedAt || account.email.toLowerCase() !== email.toLowerCase()) return account;
    await this.first?.give({ userId, email, isFirst: true });
    const now = this.clock.now();
    await this.accounts.setEmail(userId, account.email, now, now);
    return { ...account, emailVerifiedAt: now };
  }

  /** Creates an account for an identity. @returns undefined if the address already has an account */
  private async createAccount({ email, displayName }: ExternalIdentity): Promise<Account | undefined> {
    const now = this.clock.now();
    const name = DisplayName.safeParse(displayName).data;
    const account = newAccount({
      email,
      displayName: name === undefined || isReservedName(name) ? defaultDisplayName() : name,
      createdAt: now,
    });
    return (await this.accounts.create(account)) ? account : undefined;
  }

  private redirectUri(): string {
    return this.settings.publicUrl + CALLBACK_PATH;
  }
}
