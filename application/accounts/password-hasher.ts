/** Slow, salted hashing of passwords. */
export abstract class PasswordHasher {
  abstract hash(password: string): Promise<string>;
  /** With no hash to compare it takes as long as with one, and answers false. */
  abstract verify(password: string, hash: string | null): Promise<boolean>;
}
