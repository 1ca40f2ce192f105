/** A user's identity according to a provider that we trust. */
export interface ExternalIdentity {
  issuer: string;
  /** The provider's id of the user. Unlike the address, it never changes. */
  subject: string;
  email: string;
  emailVerified: boolean;
  displayName?: string;
  /** Time of the user's last sign-in at the provider. Absent if the provider does not send it. */
  authenticatedAt?: Date;
}

/** What a browser stores during a sign-in at the provider. It proves that an answer belongs to this request. */
export interface SignInSecrets {
  /** The provider returns it in the address. */
  state: string;
  /** The provider returns it in the identity token. */
  nonce: string;
  /** Redeems the code. The browser sees only its SHA-256. */
  codeVerifier: string;
}

/** The provider does not answer, or gives an unexpected answer. */
export class IdentityProviderUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'IdentityProviderUnavailable';
  }
}

/** OpenID Connect, authorisation code with PKCE. */
export abstract class IdentityProvider {
  /** Returns the address to send the browser to, and the secrets that it must store until it returns. */
  abstract begin(redirectUri: string): Promise<{ url: string; secrets: SignInSecrets }>;
  /**
   * @returns undefined if the answer belongs to another request, or the provider refuses the code
   * @throws IdentityProviderUnavailable
   */
  abstract identify(
    answer: { code: string; state: string },
    secrets: SignInSecrets,
    redirectUri: string,
  ): Promise<ExternalIdentity | undefined>;
}
