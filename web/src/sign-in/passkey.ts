import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyOrder,
  PasskeyQuestion,
} from '../../../application/accounts/contract.js';

/** They belong to a name; an address of digits is none. */
const hasName = (): boolean => !/^[\d.]+$|:/.test(window.location.hostname);

/** Whether this browser knows passkeys here, and reads and writes them as JSON. */
export const knowsPasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  hasName();

/** The visitor closed the browser's dialog, or let it run out. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name);

/** Lets the visitor answer by a passkey of theirs. @throws DOMException when they do not */
export async function answerByPasskey(
  question: PasskeyQuestion,
  options: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<PasskeyAssertion> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(question);
  return jsonOf(await navigator.credentials.get({ ...options, publicKey })) as PasskeyAssertion;
}

/** Lets the browser make one. @throws DOMException when it does not, also where the device has one already */
export async function makePasskey(order: PasskeyOrder): Promise<PasskeyAttestation> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(order);
  return jsonOf(await navigator.credentials.create({ publicKey })) as PasskeyAttestation;
}

const jsonOf = (credential: Credential | null): unknown => (credential as PublicKeyCredential).toJSON();
