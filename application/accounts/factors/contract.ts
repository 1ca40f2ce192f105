import * as z from 'zod';
import { exactText, IsoTime, lineText, namedObject } from '../../shared/contract.js';
import { FACTOR_METHODS, PASSKEY_NAME_MAX_LENGTH } from '../values.js';

const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/, 'not base64url');
const Transports = z.array(exactText().max(30)).max(10);
const credential = { id: base64url(2_000), rawId: base64url(2_000), type: z.literal('public-key') };

export const PasskeyAttestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(8_000),
    attestationObject: base64url(32_768),
    transports: Transports.optional(),
  }),
});
export type PasskeyAttestation = z.infer<typeof PasskeyAttestation>;

export const PasskeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(8_000),
    authenticatorData: base64url(8_000),
    signature: base64url(8_000),
    userHandle: base64url(200).nullish(),
  }),
});
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

const Descriptor = z.object({
  type: z.literal('public-key'),
  id: z.string(),
  transports: z.array(z.string()),
});

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn, with which a browser uses a passkey. */
export const PasskeyQuestion = namedObject('PasskeyQuestion', {
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
  /** Empty: any passkey is allowed. */
  allowCredentials: z.array(Descriptor),
});
export type PasskeyQuestion = z.infer<typeof PasskeyQuestion>;

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn, with which a browser creates a passkey. */
export const PasskeyOrder = namedObject('PasskeyOrder', {
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  attestation: z.literal('none'),
  authenticatorSelection: z.object({
    residentKey: z.literal('preferred'),
    userVerification: z.literal('required'),
  }),
  excludeCredentials: z.array(Descriptor),
});
export type PasskeyOrder = z.infer<typeof PasskeyOrder>;

export const FactorMethods = z.array(z.enum(FACTOR_METHODS));
export const SecondFactorNeeded = z.object({
  user: z.null(),
  session: z.null(),
  secondFactor: z.object({ methods: FactorMethods }),
});
/** `passkey` is null if the user has no passkey. */
export const SecondFactorQuestion = z.object({
  methods: FactorMethods,
  passkey: PasskeyQuestion.nullable(),
});

/** Six digits from the authenticator app, or a recovery code. */
const Code = exactText().min(6).max(64);
export const SecondFactorBody = z.union([
  z.strictObject({ passkey: PasskeyAssertion }),
  z.strictObject({ code: Code }),
]);
export type SecondFactorBody = z.infer<typeof SecondFactorBody>;

export const PasskeyName = lineText(PASSKEY_NAME_MAX_LENGTH).min(1, 'Enter a name');
export const RenamePasskeyBody = z.strictObject({ name: PasskeyName });
export const CodeBody = z.strictObject({ code: Code });

export const PasskeyItem = namedObject('PasskeyItem', {
  id: z.string(),
  name: z.string(),
  createdAt: IsoTime,
  lastUsedAt: IsoTime.nullable(),
  /** Whether a provider such as iCloud Keychain keeps the passkey for the user's other devices. */
  synced: z.boolean(),
});
export type PasskeyItem = z.infer<typeof PasskeyItem>;

export const Factors = namedObject('Factors', {
  /** Whether the site can offer passkeys. They need a host name, so a site with an IP address cannot. */
  passkeysOffered: z.boolean(),
  passkeys: z.array(PasskeyItem),
  app: z.object({ since: IsoTime }).nullable(),
  recoveryCodes: z.object({ left: z.int(), since: IsoTime }).nullable(),
  /** Whether the user must keep at least one factor. */
  required: z.boolean(),
});
export type Factors = z.infer<typeof Factors>;
