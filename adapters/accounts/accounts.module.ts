import { Global, Module } from '@nestjs/common';
import { PeopleQueries } from '../../application/accounts/staff/people-queries.js';
import { PostgresPeopleQueries } from './postgres-people.js';
import { Recipients } from '../../application/mail/fact-mails.js';
import { AccountMails } from '../../application/accounts/account-mails.js';
import { Admission } from '../../application/accounts/admission.js';
import { AccountStore } from '../../application/accounts/account-store.js';
import { DisplayNames } from '../../application/accounts/display-names.js';
import { ConfirmOwner } from '../../application/accounts/confirm-owner.js';
import { AuthenticatorApp } from '../../application/accounts/factors/authenticator-app.js';
import { FactorProofs } from '../../application/accounts/factors/factor-proofs.js';
import {
  CodeStore,
  PasskeyStore,
  PendingSignInStore,
} from '../../application/accounts/factors/factor-stores.js';
import { OwnFactors } from '../../application/accounts/factors/own-factors.js';
import { Passkeys } from '../../application/accounts/factors/passkeys.js';
import { RecoveryCodes } from '../../application/accounts/factors/recovery-codes.js';
import { SecondStep } from '../../application/accounts/factors/second-step.js';
import { ExternalSignIn } from '../../application/accounts/external-sign-in/external-sign-in.js';
import { SecureAccountHandler } from '../../application/accounts/secure-account.js';
import { IdentityStore } from '../../application/accounts/external-sign-in/identity-store.js';
import { MailLimits } from '../../application/accounts/mail-limits.js';
import { OwnAccount } from '../../application/accounts/own-account.js';
import { Passwords } from '../../application/accounts/passwords.js';
import { PersonalData } from '../../application/accounts/personal-data.js';
import { PersonalDataExport } from '../../application/accounts/personal-data-export.js';
import { KnownBrowsers } from '../../application/accounts/sessions/known-browsers.js';
import { RememberedBrowsers } from '../../application/accounts/sessions/remembered-browsers.js';
import { SessionStore } from '../../application/accounts/sessions/session-store.js';
import { Sessions } from '../../application/accounts/sessions/sessions.js';
import { SignIn } from '../../application/accounts/sign-in.js';
import { SignInPace } from '../../application/accounts/sign-in-pace.js';
import { BreakGlassHandler } from '../../application/accounts/staff/break-glass.js';
import { GrantStaffRoleHandler } from '../../application/accounts/staff/grant-staff-role.js';
import { RevokeStaffRoleHandler } from '../../application/accounts/staff/revoke-staff-role.js';
import { StaffQueries } from '../../application/accounts/staff/staff-queries.js';
import { AccessTokens, AccessTokenStore } from '../../application/accounts/tokens/access-tokens.js';
import { SignUp } from '../../application/accounts/sign-up.js';
import { Pause, SystemPause } from '../../application/shared/clock.js';
import { MailModule } from '../mail/mail.module.js';
import { ProfilesModule } from '../profiles/profiles.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { AuthController } from './auth.controller.js';
import { FactorsController } from './factors/factors.controller.js';
import { PostgresCodeStore } from './factors/postgres-codes.js';
import { PostgresPasskeyStore } from './factors/postgres-passkeys.js';
import { PostgresPendingSignInStore } from './factors/postgres-pending-sign-ins.js';
import { SecondStepController } from './factors/second-step.controller.js';
import { SignedInAnswer } from './signed-in-answer.js';
import { GoogleController } from './google.controller.js';
import { MeController } from './me.controller.js';
import { PostgresAccessTokenStore } from './postgres-access-tokens.js';
import { TokensController } from './tokens.controller.js';
import { PostgresAccountStore } from './postgres-accounts.js';
import { PostgresDisplayNames } from './postgres-display-names.js';
import { PostgresIdentityStore } from './postgres-identities.js';
import { PostgresRememberedBrowsers } from './postgres-remembered-browsers.js';
import { PostgresSessionStore } from './postgres-sessions.js';
import { SessionsController } from './sessions.controller.js';
import { PostgresStaffQueries } from './postgres-staff-roles.js';

/** Global: every request needs the session. */
@Global()
@Module({
  imports: [MailModule, ProfilesModule, StorageModule],
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
    PeopleQueries,
    Recipients,
    PersonalDataExport,
    Sessions,
    SignUp,
    StaffQueries,
  ],
})
export class AccountsModule {}
