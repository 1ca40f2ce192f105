import * as z from 'zod';
import { STAFF_ROLES, type StaffRole } from '../../domain/accounts/staff.js';
import { AcceptedVersions } from '../legal/contract.js';
import { Id, IsoTime, exactText, lineText, soughtText, namedObject } from '../shared/contract.js';
import { SecondFactorBody } from './factors/contract.js';
import { DISPLAY_NAME_MAX_LENGTH, NAMES_AT_ONCE, PEOPLE_SEARCH_MIN_LENGTH } from './values.js';

export const ROLES = STAFF_ROLES;
export type Role = StaffRole;

export const Email = z.email('Enter an e-mail address').max(254, 'Enter an e-mail address');
const Password = exactText().max(1_000);
/** A name has only one line, because it appears in lists, file names and mails. */
export const DisplayName = lineText(DISPLAY_NAME_MAX_LENGTH).min(1, 'Enter a name');

export const SignUpBody = z.strictObject({
  email: Email,
  password: Password,
  displayName: DisplayName.optional(),
  /** The versions of the legal texts that the person accepts. */
  accepts: AcceptedVersions.optional(),
});
export const SignInBody = z.strictObject({ email: Email, password: Password });
/** The credits that the account got for its first confirmed address. */
export const FirstCreditsAnswer = z.object({ firstCredits: z.int() });
export const TokenBody = z.strictObject({ token: exactText().min(1).max(200) });
export const ForgotPasswordBody = z.strictObject({ email: Email });
export const ResetPasswordBody = z.strictObject({ token: exactText().min(1).max(200), password: Password });
export const ChangePasswordBody = z.strictObject({ currentPassword: Password, newPassword: Password });
export const ConfirmBody = z.union([z.strictObject({ password: Password }), SecondFactorBody]);
export type ConfirmBody = z.infer<typeof ConfirmBody>;
export const EraseAnswer = namedObject('EraseAnswer', {
  claim: z.object({ code: z.string(), payableUntil: IsoTime, owedMicroUsd: z.int() }),
});
export type EraseAnswer = z.infer<typeof EraseAnswer>;
export const UpdateMeBody = z.strictObject({ displayName: DisplayName.optional(), email: Email.optional() });

export const User = namedObject('User', {
  id: Id,
  email: z.string(),
  displayName: z.string(),
  avatarUrl: z.string().nullable(),
  /** Whether the user is an approved creator and not suspended. */
  isCreator: z.boolean(),
  roles: z.array(z.enum(ROLES)),
  /** Roles that do not apply until this session has a second factor. */
  withheldRoles: z.array(z.enum(ROLES)).optional(),
});
export type User = z.infer<typeof User>;

export const Session = z.object({
  access_token: z.string(),
  /** Unix seconds. */
  expires_at: z.int().describe('In seconds since 1970 (UTC)'),
  expires_in: z.int(),
});
export const SignedIn = namedObject('SignedIn', { user: User, session: Session });
export type SignedIn = z.infer<typeof SignedIn>;
/** The answer to a sign-up whose address must be confirmed first. */
export const ConfirmationNeeded = z.object({ user: z.null(), session: z.null() });
export const SessionAnswer = z.union([
  z.object({ user: User, expiresAt: z.int() }),
  z.object({ user: z.null() }),
]);
export type SessionAnswer = z.infer<typeof SessionAnswer>;

/** The search text: a part of a name or handle, the beginning of an e-mail address, or a whole user id. */
export const PeopleQuery = z.object({ q: soughtText(200).trim().min(PEOPLE_SEARCH_MIN_LENGTH) });
export const Person = namedObject('Person', {
  id: Id,
  displayName: z.string(),
  email: z.string(),
  handle: z.string().nullable(),
});
export type Person = z.infer<typeof Person>;
/** The best matches, at most ten. */
export const PeopleAnswer = z.object({ items: z.array(Person) });
export type PeopleAnswer = z.infer<typeof PeopleAnswer>;
/** Ids separated by commas. */
export const NamesQuery = z.object({
  ids: z.preprocess(
    (value) =>
      String(value ?? '')
        .split(',')
        .filter(Boolean),
    z.array(Id).min(1).max(NAMES_AT_ONCE),
  ),
});
export const NamesAnswer = z.object({ items: z.array(z.object({ id: Id, name: z.string() })) });
export type NamesAnswer = z.infer<typeof NamesAnswer>;

export const SessionItem = namedObject('SessionItem', {
  id: z.string(),
  /** For example "Firefox on Linux". */
  device: z.string(),
  /** Where the sign-in came from: country and network. The country comes from a proxy. */
  place: z.string().nullable(),
  startedAt: IsoTime,
  /** Accurate to five minutes. */
  lastUsedAt: IsoTime,
  current: z.boolean(),
});
export type SessionItem = z.infer<typeof SessionItem>;
export const SessionList = z.object({ items: z.array(SessionItem) });
