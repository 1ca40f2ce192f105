import { Global, Module } from '@nestjs/common';
import { PeopleQueries, StaffQueries } from '../../application/accounts/staff/staff-queries.js';
import { PostgresPeopleQueries, PostgresStaffQueries } from './postgres-staff.js';
import { Recipients } from '../../application/mail/fact-mails.js';
import { AccountMails } from '../../application/accounts/account-mails.js';
import { Admission, SignIn, SignUp } from '../../application/accounts/sign-in.js';
import { AccountStore, DisplayNames } from '../../application/accounts/account-store.js';
import { ConfirmOwner, OwnAccount } from '../../application/accounts/own-account.js';
import { AuthenticatorApp, RecoveryCodes } from '../../application/accounts/factors/one-time-codes.js';
import { FactorProofs, SecondStep } from '../../application/accounts/factors/second-step.js';
import {
  CodeStore,
  PasskeyStore,
  PendingSignInStore,
} from '../../application/accounts/factors/factor-stores.js';
import { OwnFactors } from '../../application/accounts/factors/own-factors.js';
import { Passkeys } from '../../application/accounts/factors/passkeys.js';
import { ExternalSignIn, IdentityStore } from '../../application/accounts/external-sign-in.js';
import { SecureAccountHandler } from '../../application/accounts/secure-account.js';
import { MailLimits, SignInPace } from '../../application/accounts/attempt-limits.js';
import { Passwords } from '../../application/accounts/passwords.js';
import { PersonalData, PersonalDataExport } from '../../application/accounts/personal-data.js';
import { KnownBrowsers, Sessions } from '../../application/accounts/sessions/sessions.js';
import { RememberedBrowsers, SessionStore } from '../../application/accounts/sessions/session-store.js';
import {
  BreakGlassHandler,
  GrantStaffRoleHandler,
  RevokeStaffRoleHandler,
} from '../../application/accounts/staff/staff-roles.js';
import { AccessTokens, AccessTokenStore } from '../../application/accounts/tokens/access-tokens.js';
import { Pause, SystemPause } from '../../application/shared/clock.js';
import { LegalModule } from '../legal/legal.module.js';
import { MailModule } from '../mail/mail.module.js';
import { ProfilesModule } from '../profiles/profiles.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { AuthController, GoogleController } from './auth.controller.js';
import { FactorsController, SecondStepController } from './factors.controller.js';
import { PostgresCodeStore, PostgresPasskeyStore } from './postgres-factors.js';
import {
  PostgresPendingSignInStore,
  PostgresIdentityStore,
  PostgresRememberedBrowsers,
} from './postgres-sign-ins.js';
import { SignedInAnswer } from './signed-in-answer.js';
import { MeController, SessionsController, TokensController } from './me.controller.js';
import { PostgresAccessTokenStore } from './postgres-access-tokens.js';
import { PostgresAccountStore } from './postgres-accounts.js';
import { PostgresDisplayNames } from './postgres-display-names.js';
import { PostgresSessionStore } from './postgres-sessions.js';

/** Global: every request needs the session. */
@Global()
@Module({
  imports: [LegalModule, MailModule, ProfilesModule, StorageModule],
  controllers: [
    AuthController,
    FactorsController,
    GoogleController,
    MeController,
    SecondStepController,
    SessionsController,
    TokensController,
  ],
  providers: [
    AccessTokens,
    Admission,
    BreakGlassHandler,
    GrantStaffRoleHandler,
    RevokeStaffRoleHandler,
    SecureAccountHandler,
    Sessions,
    SignUp,
    SignIn,
    SignInPace,
    Passwords,
    ConfirmOwner,
    AuthenticatorApp,
    FactorProofs,
    KnownBrowsers,
    OwnFactors,
    Passkeys,
    RecoveryCodes,
    SecondStep,
    SignedInAnswer,
    OwnAccount,
    ExternalSignIn,
    PersonalData,
    PersonalDataExport,
    AccountMails,
    MailLimits,
    { provide: AccessTokenStore, useClass: PostgresAccessTokenStore },
    { provide: AccountStore, useClass: PostgresAccountStore },
    { provide: Recipients, useExisting: AccountStore },
    { provide: PeopleQueries, useClass: PostgresPeopleQueries },
    { provide: CodeStore, useClass: PostgresCodeStore },
    { provide: DisplayNames, useClass: PostgresDisplayNames },
    { provide: IdentityStore, useClass: PostgresIdentityStore },
    { provide: Pause, useClass: SystemPause },
    { provide: RememberedBrowsers, useClass: PostgresRememberedBrowsers },
    { provide: PasskeyStore, useClass: PostgresPasskeyStore },
    { provide: PendingSignInStore, useClass: PostgresPendingSignInStore },
    { provide: SessionStore, useClass: PostgresSessionStore },
    { provide: StaffQueries, useClass: PostgresStaffQueries },
  ],
  exports: [
    AccessTokens,
    AccountMails,
    AccountStore,
    DisplayNames,
    KnownBrowsers,
    MailLimits,
    Pause,
    PeopleQueries,
    Recipients,
    PersonalDataExport,
    Sessions,
    StaffQueries,
  ],
})
export class AccountsModule {}
