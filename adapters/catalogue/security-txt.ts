import type { WallClock } from '../../application/shared/clock.js';

const VALID_MS = 365 * 24 * 3_600_000;

/**
 * The file `security.txt` with the security contact (RFC 9116). The file expires a year after the node starts, so
 * that the contact of an abandoned node does not stay valid.
 */
export class SecurityTxt {
  private readonly expires: string;

  constructor(
    private readonly publicUrl: string,
    private readonly security: { contact?: string; policy?: string },
    clock: WallClock,
  ) {
    this.expires = new Date(clock.now().getTime() + VALID_MS).toISOString();
  }

  text(): string | undefined {
    const { contact, policy } = this.security;
    if (!contact) return undefined;
    return [
      `Contact: ${contact}`,
      `Expires: ${this.expires}`,
      ...(policy ? [`Policy: ${policy}`] : []),
      `Canonical: ${this.publicUrl}/.well-known/security.txt`,
      'Preferred-Languages: en',
      '',
    ].join('\n');
  }
}
