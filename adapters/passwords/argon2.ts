import { hash, verify } from '@node-rs/argon2';
import { PasswordHasher } from '../../application/ports/password-hasher.js';

/** 19 MiB, two passes, one lane: the least that OWASP recommends for argon2id. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export class Argon2PasswordHasher extends PasswordHasher {
  // Compared with when there is no account, so that asking takes the same time.
  private readonly decoy = hash('nobody signs in with this', COST);

  hash(password: string): Promise<string> {
    return hash(password.normalize('NFKC'), COST);
  }

  async verify(password: string, stored: string | null): Promise<boolean> {
    const matches = await verify(stored ?? (await this.decoy), password.normalize('NFKC'));
    return matches && stored !== null;
  }
}
