/** Slow, salted hashing of passwords. */
export abstract class PasswordHasher {
  abstract hash(password: string): Promise<string>;
  /** With a null hash, takes as long as with one and returns false. */
  abstract verify(password: string, hash: string | null): Promise<boolean>;
}
