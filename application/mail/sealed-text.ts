import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../shared/keys/signing-keys.js';

/** Returns a text with a signature, for the address of a link in a mail. @param key the name of the secret */
export const seal = async (secrets: Secrets, key: string, text: string): Promise<string> =>
  `${text}.${await macOf(secrets, key, text)}`;

/**
 * Returns the original text from the output of `seal`, without its
 * signature. Undefined if the signature is wrong.
 */
export async function unseal(secrets: Secrets, key: string, sealed: string): Promise<string | undefined> {
  const text = sealed.slice(0, Math.max(0, sealed.lastIndexOf('.')));
  const [given, expected] = [Buffer.from(sealed), Buffer.from(await seal(secrets, key, text))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? text : undefined;
}

/** Header fields for one-click unsubscribe (RFC 8058). The mail program sends a POST request to `address`. */
export const stoppedAt = (address: string): Record<string, string> => ({
  'List-Unsubscribe': `<${address}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

const macOf = async (secrets: Secrets, key: string, text: string): Promise<string> =>
  createHmac('sha256', await secrets.get(key))
    .update(text)
    .digest('base64url');
