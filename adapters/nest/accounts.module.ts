import { Global, Module } from '@nestjs/common';
import { AccountMails } from '../../application/accounts/account-mails.js';
import { ExternalSignIn } from '../../application/accounts/external-sign-in.js';
import { FactMails } from '../../application/accounts/fact-mails.js';
import { MailLimits } from '../../application/accounts/mail-limits.js';
import { OwnAccount, OwnAvatar } from '../../application/accounts/own-account.js';
import { Passwords } from '../../application/accounts/passwords.js';
import { PersonalData } from '../../application/accounts/personal-data.js';
import { Sessions } from '../../application/accounts/sessions.js';
import { AccountSettings } from '../../application/accounts/settings.js';
import { SignIn } from '../../application/accounts/sign-in.js';
import { SignUp } from '../../application/accounts/sign-up.js';
import { AccountStore } from '../../application/ports/account-store.js';
import { IdentityProvider } from '../../application/ports/identity-provider.js';
import { IdentityStore } from '../../application/ports/identity-store.js';
import { PasswordHasher } from '../../application/ports/password-hasher.js';
import { CreatorProfileStore } from '../../application/ports/creator-profile-store.js';
import { PackNames } from '../../application/ports/pack-names.js';
import { ProfileStore } from '../../application/ports/profile-store.js';
import { ReceiptBook } from '../../application/ports/receipt-book.js';
import { SessionStore } from '../../application/ports/session-store.js';
import { CreatorProfiles } from '../../application/profiles/creator-profiles.js';
import { ProfileFiles } from '../../application/profiles/profile-files.js';
import { Profiles } from '../../application/profiles/profiles.js';
import { NamedFolders } from '../../application/storage/creator-folders.js';
import { ForgetFolders } from '../../application/storage/forget-folders.js';
import { GoogleIdentity } from '../google/google-identity.js';
import { AuthController } from '../http/auth.controller.js';
import { CreatorProfileController } from '../http/creator-profile.controller.js';
import { GoogleController } from '../http/google.controller.js';
import { MeController } from '../http/me.controller.js';
import { SessionCookie } from '../http/session-cookie.js';
import { Argon2PasswordHasher } from '../passwords/argon2.js';
import { Database } from '../postgres/database.js';
import { PostgresAccountStore } from '../postgres/tables/accounts.js';
import { PostgresNamedFolders } from '../postgres/tables/creator-folders.js';
import { PostgresCreatorProfileStore } from '../postgres/tables/creator-profiles.js';
import { PostgresIdentityStore } from '../postgres/tables/identities.js';
import { PostgresPackNames } from '../postgres/tables/pack-names.js';
import { PostgresProfileStore } from '../postgres/tables/profiles.js';
import { PostgresReceiptBook } from '../postgres/tables/receipts.js';
import { PostgresSessionStore } from '../postgres/tables/sessions.js';
import { CONFIG, type Config } from './config.js';

/** Global: every request asks whose session it is, and every context may ask for a profile. */
@Global()
@Module({
  controllers: [AuthController, CreatorProfileController, GoogleController, MeController],
  providers: [
    Sessions,
    SignUp,
    SignIn,
    Passwords,
    OwnAccount,
    OwnAvatar,
    ExternalSignIn,
    PersonalData,
    AccountMails,
    FactMails,
    MailLimits,
    {
      provide: AccountSettings,
      useFactory: (config: Config) =>
        new AccountSettings(config.publicUrl, config.smtpUrl !== undefined, config.rateLimitScale),
      inject: [CONFIG],
    },
    {
      provide: SessionCookie,
      useFactory: (config: Config) => new SessionCookie(config.publicUrl),
      inject: [CONFIG],
    },
    {
      provide: IdentityProvider,
      useFactory: (config: Config) => (config.google ? new GoogleIdentity(config.google) : null),
      inject: [CONFIG],
    },
    {
      provide: IdentityStore,
      useFactory: (database: Database) => new PostgresIdentityStore(database),
      inject: [Database],
    },
    { provide: PasswordHasher, useClass: Argon2PasswordHasher },
    {
      provide: SessionStore,
      useFactory: (database: Database) => new PostgresSessionStore(database),
      inject: [Database],
    },
    Profiles,
    CreatorProfiles,
    ProfileFiles,
    ForgetFolders,
    {
      provide: NamedFolders,
      useFactory: (database: Database) => new PostgresNamedFolders(database),
      inject: [Database],
    },
    {
      provide: CreatorProfileStore,
      useFactory: (database: Database) => new PostgresCreatorProfileStore(database),
      inject: [Database],
    },
    {
      provide: PackNames,
      useFactory: (database: Database) => new PostgresPackNames(database),
      inject: [Database],
    },
    {
      provide: ProfileStore,
      useFactory: (database: Database) => new PostgresProfileStore(database),
      inject: [Database],
    },
    {
      provide: ReceiptBook,
      useFactory: (database: Database) => new PostgresReceiptBook(database),
      inject: [Database],
    },
    {
      provide: AccountStore,
      useFactory: (database: Database) => new PostgresAccountStore(database),
      inject: [Database],
    },
  ],
  exports: [MailLimits, Sessions, SignUp, AccountStore, AccountSettings, FactMails, Profiles],
})
export class AccountsModule {}
