/** A person's identity according to a provider that we trust. */
export interface ExternalIdentity {
  issuer: string;
  /** The provider's own id of the person; it never changes, unlike the address. */
  subject: string;
  email: string;
  emailVerified: boolean;
  displayName?: string;
  /** When the person last signed in there; absent where the provider does not say. */
  authenticatedAt?: Date;
}

/** What a browser stores while it is at the provider: it proves that an answer belongs to this request. */
export interface SignInSecrets {
  /** Comes back in the address. */
  state: string;
  /** Comes back inside the identity token. */
  nonce: string;
  /** Redeems the code; only its SHA-256 goes through the browser. */
  codeVerifier: string;
}

/** The provider does not answer, or not as agreed. */
export class IdentityProviderUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'IdentityProviderUnavailable';
  }
}

/** OpenID Connect, authorisation code with PKCE. */
export abstract class IdentityProvider {
  /** Where to send the browser, and what it must store until it is back. */
  abstract begin(redirectUri: string): Promise<{ url: string; secrets: SignInSecrets }>;
  /**
   * @returns undefined when the answer belongs to another question, or the provider refuses the code
   * @throws IdentityProviderUnavailable
   */
  abstract identify(
    answer: { code: string; state: string },
    secrets: SignInSecrets,
    redirectUri: string,
  ): Promise<ExternalIdentity | undefined>;
}
