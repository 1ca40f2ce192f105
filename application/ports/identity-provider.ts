/** Who somebody is according to a provider that we trust. */
export interface ExternalIdentity {
  issuer: string;
  /** The provider's own id of the person; it never changes, unlike the address. */
  subject: string;
  email: string;
  emailVerified: boolean;
  displayName?: string;
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
  /** Where to send the browser. @param options.codeChallenge base64url SHA-256 of the code verifier */
  abstract authorizationUrl(options: { state: string; codeChallenge: string; redirectUri: string }): string;
  /**
   * @returns undefined when the provider refuses the code
   * @throws IdentityProviderUnavailable
   */
  abstract identify(options: {
    code: string;
    codeVerifier: string;
    redirectUri: string;
  }): Promise<ExternalIdentity | undefined>;
}
