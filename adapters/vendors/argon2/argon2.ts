import { hash, verify } from '@node-rs/argon2';
import { PasswordHasher } from '../../../application/accounts/password-hasher.js';
import { CAPACITY } from '../../../application/shared/lanes/capacity.js';
import { Lane } from '../../../application/shared/lanes/lane.js';

/** 19 MiB, two passes, one lane: the least that OWASP recommends for argon2id. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export class Argon2PasswordHasher implements PasswordHasher {
  private readonly lane = new Lane({ work: 'passwords', ...CAPACITY.passwords });
  // Compared if there is no account, so that the answer takes the same time.
  private readonly decoy = hash('nobody signs in with this', COST);

  hash(password: string): Promise<string> {
    return this.lane.run(() => hash(password.normalize('NFKC'), COST));
  }

  async verify(password: string, stored: string | null): Promise<boolean> {
    const matches = await this.lane.run(async () =>
      verify(stored ?? (await this.decoy), password.normalize('NFKC')),
    );
    return matches && stored !== null;
  }
}
