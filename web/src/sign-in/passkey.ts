import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyOrder,
  PasskeyQuestion,
} from '../../../application/accounts/factors/contract.js';

/** Whether the site has a domain name, which passkeys need. An IP address does not suffice. */
const hasName = (): boolean => !/^[\d.]+$|:/.test(window.location.hostname);

/** Whether this browser supports passkeys here, and their JSON format. */
export const knowsPasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  hasName();

export const isCancelled = (error: unknown): boolean =>
  error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name);

export async function answerByPasskey(
  question: PasskeyQuestion,
  options: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<PasskeyAssertion> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(question);
  return jsonOf(await navigator.credentials.get({ ...options, publicKey })) as PasskeyAssertion;
}

/** Makes the browser create a passkey. @throws DOMException for example if the device already has a passkey */
export async function makePasskey(order: PasskeyOrder): Promise<PasskeyAttestation> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(order);
  return jsonOf(await navigator.credentials.create({ publicKey })) as PasskeyAttestation;
}

const jsonOf = (credential: Credential | null): unknown => (credential as PublicKeyCredential).toJSON();
