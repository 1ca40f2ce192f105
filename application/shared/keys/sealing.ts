import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing, SigningKey } from './signing-keys.js';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param of the owner's user id. `unseal` fails with the id of another user */
export function seal(secret: Buffer, key: Buffer, of: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(of));
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Error if the secret was sealed with another key or for another owner, or was changed since */
export function unseal(sealed: Buffer, key: Buffer, of: string): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(of)).setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

/** Returns the secret, and the key with which it was sealed. @throws Error if no key of the ring opens it */
export function unsealWith(
  { keys }: KeyRing,
  sealed: Buffer,
  of: string,
): { secret: Buffer; key: SigningKey } {
  for (const key of keys.toReversed())
    try {
      return { secret: unseal(sealed, key.secret, of), key };
    } catch {
      // The secret is sealed with another key, so the next key is tried.
    }
  throw new Error('no known key opens this secret');
}
