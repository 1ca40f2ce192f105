import { Global, Module } from '@nestjs/common';
import { AccountMails } from '../../application/accounts/account-mails.js';
import { ExternalSignIn } from '../../application/accounts/external-sign-in.js';
import { FactMails } from '../../application/mail/fact-mails.js';
import { MailLimits } from '../../application/accounts/mail-limits.js';
import { OwnAccount, OwnAvatar } from '../../application/accounts/own-account.js';
import { Passwords } from '../../application/accounts/passwords.js';
import { PersonalData } from '../../application/accounts/personal-data.js';
import { ChangeStaffRoleHandler } from '../../application/accounts/handlers.js';
import { Sessions } from '../../application/accounts/sessions.js';
import { AccountSettings } from '../../application/accounts/account-settings.js';
import { SignIn } from '../../application/accounts/sign-in.js';
import { SignUp } from '../../application/accounts/sign-up.js';
import { AccountStore } from '../../application/accounts/account-store.js';
import { IdentityProvider } from '../../application/accounts/identity-provider.js';
import { IdentityStore } from '../../application/accounts/identity-store.js';
import { PasswordHasher } from '../../application/accounts/password-hasher.js';
import { CreatorProfileStore } from '../../application/profiles/creator-profile-store.js';
import { PackNames } from '../../application/publishing/pack-names.js';
import { ProfileStore } from '../../application/profiles/profile-store.js';
import { ReceiptBook } from '../../application/mail/receipt-book.js';
import { SessionStore } from '../../application/accounts/session-store.js';
import { CreatorProfiles } from '../../application/profiles/creator-profiles.js';
import { ProfileFiles } from '../../application/profiles/profile-files.js';
import { Profiles } from '../../application/profiles/profiles.js';
import { NamedFolders } from '../../application/storage/creator-folders.js';
import { ForgetFolders } from '../../application/storage/forget-folders.js';
import { GoogleIdentity } from '../vendors/google/google-identity.js';
import { AuthController } from './auth.controller.js';
import { CreatorProfileController } from '../profiles/creator-profile.controller.js';
import { GoogleController } from './google.controller.js';
import { MeController } from './me.controller.js';
import { SessionCookie } from './session-cookie.js';
import { Argon2PasswordHasher } from '../vendors/argon2/argon2.js';
import { Database } from '../platform/database/database.js';
import { PostgresAccountStore } from './postgres-accounts.js';
import { PostgresNamedFolders } from '../storage/postgres-creator-folders.js';
import { PostgresCreatorProfileStore } from '../profiles/postgres-creator-profiles.js';
import { PostgresIdentityStore } from './postgres-identities.js';
import { PostgresPackNames } from '../publishing/postgres-pack-names.js';
import { PostgresProfileStore } from '../profiles/postgres-profiles.js';
import { PostgresReceiptBook } from '../mail/postgres-receipts.js';
import { PostgresSessionStore } from './postgres-sessions.js';
import { CONFIG, type Config } from '../../bootstrap/config.js';

/** Global: every request asks whose session it is, and every context may ask for a profile. */
@Global()
@Module({
  controllers: [AuthController, CreatorProfileController, GoogleController, MeController],
  providers: [
    ChangeStaffRoleHandler,
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
