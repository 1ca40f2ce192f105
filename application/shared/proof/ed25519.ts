import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** The fixed prefix of a PKCS #8 Ed25519 private key (RFC 8410), before its 32 secret bytes. */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Caches keys by secret, because a batch of certificates is signed with one key. */
const made = new WeakMap<Buffer, { privateKey: KeyObject; publicKey: KeyObject }>();

export function ed25519Keys(seed: Buffer): { privateKey: KeyObject; publicKey: KeyObject } {
  const known = made.get(seed);
  if (known) return known;
  const der = Buffer.concat([PKCS8_ED25519, seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const keys = { privateKey, publicKey: createPublicKey(privateKey) };
  made.set(seed, keys);
  return keys;
}

export const publicBytes = (seed: Buffer): Buffer =>
  ed25519Keys(seed).publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
