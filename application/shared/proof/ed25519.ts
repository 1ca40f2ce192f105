import { createPrivateKey, type KeyObject } from 'node:crypto';

/** The fixed prefix of a PKCS #8 Ed25519 private key (RFC 8410), before its 32 secret bytes. */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** @param seed 32 secret bytes */
export const ed25519Key = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
