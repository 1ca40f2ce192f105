import { verify } from 'node:crypto';
import * as z from 'zod';
import { ed25519Keys } from '../shared/proof/ed25519.js';
import { KeyRing, type ConfiguredKey, type SigningKey } from '../shared/keys/signing-keys.js';
import { jsonOf } from '../shared/text.js';
import { isOurs, signatureOf, signing } from './signed-heads.js';

/** A one-sentence message for users: why a backup cannot be restored. */
export class BackupRefused extends Error {
  override name = 'BackupRefused';
}

const BackupEntry = z.strictObject({
  name: z.string(),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Only for files under `objects/`. */
  contentType: z.string().optional(),
});
export type BackupEntry = z.infer<typeof BackupEntry>;

const BackupTable = z.strictObject({
  /** With its schema, such as `public.event`. */
  name: z.string(),
  columns: z.array(z.string()).min(1),
  rows: z.int().min(0),
});
export type BackupTable = z.infer<typeof BackupTable>;

/** The format of this version. The number increases with each change that older versions cannot read. */
const FORMAT = 1;

const Facts = z.strictObject({
  /** The version of Offcut that made the backup. */
  product: z.string(),
  migrations: z.array(z.string()).min(1),
  /** The end of the log in the backup. */
  position: z.int().min(0),
  hash: z.string(),
  tables: z.array(BackupTable),
  /** The last value of each used sequence. */
  sequences: z.record(z.string(), z.int()),
  entries: z.array(BackupEntry),
});
export type BackupFacts = z.infer<typeof Facts>;

const Manifest = Facts.extend({
  format: z.literal(FORMAT),
  signedAt: z.iso.datetime(),
  keyId: z.string().optional(),
  /** Present if the key is in the database: the signature then only proves that the backup is whole. */
  publicKey: z.string().optional(),
});
export type BackupManifest = z.infer<typeof Manifest>;

/** Manifests of every format have these members, so that this version can recognise and refuse a newer format. */
const Beginning = z.object({ format: z.int(), product: z.string() });

export interface SignedManifest {
  manifest: Buffer;
  signature: Buffer;
}

/** Signs the list of a backup's files with the key of the log heads. */
export function signManifest(facts: BackupFacts, ring: KeyRing, now: Date): SignedManifest {
  const key = ring.signingAt(now);
  const publicKey = key.id === undefined ? { publicKey: exported(key) } : {};
  const manifest = Buffer.from(
    JSON.stringify({ format: FORMAT, ...facts, ...signing(key, now), ...publicKey }, null, 1),
  );
  return { manifest, signature: Buffer.from(signatureOf(signedBytes(manifest), key)) };
}

/**
 * Reads the list of a backup's files and checks who signed it.
 * @param configured the keys for log heads that are configured outside the database. If there are none, the key may be
 * the one in the backup itself.
 * @param known the migrations of this version
 * @throws BackupRefused
 */
export function readManifest(
  { manifest, signature }: SignedManifest,
  configured: readonly ConfiguredKey[],
  known: readonly string[],
): BackupManifest {
  const json = jsonOf(manifest.toString());
  const beginning = Beginning.safeParse(json);
  if (!beginning.success) throw new BackupRefused('The file is not a backup of Offcut.');
  const { format, product } = beginning.data;
  if (format > FORMAT) throw newer(product);
  const parsed = Manifest.safeParse(json);
  if (!parsed.success) throw new BackupRefused('The list of files in the backup is damaged.');
  requireSignature(parsed.data, { manifest, signature }, configured);
  if (parsed.data.migrations.some((migration) => !known.includes(migration))) throw newer(product);
  return parsed.data;
}

const newer = (product: string): BackupRefused =>
  new BackupRefused(
    `Version ${product} made the backup, which is newer than this version: restore it with that version.`,
  );

function requireSignature(
  { keyId, publicKey, signedAt }: BackupManifest,
  { manifest, signature }: SignedManifest,
  configured: readonly ConfiguredKey[],
): void {
  const bytes = signedBytes(manifest);
  if (configured.length === 0 && publicKey !== undefined && keyId === undefined) {
    if (isSignedBy(publicKey, bytes, signature)) return;
    throw new BackupRefused('The signature of the backup is wrong.');
  }
  const ring = new KeyRing(configured.toSorted((a, b) => a.from.getTime() - b.from.getTime()));
  if (keyId === undefined)
    throw new BackupRefused(
      'The backup is signed with the key of its own database, but KEYS_FILE names others: unset KEYS_FILE if you trust the file.',
    );
  const key = ring.named(keyId);
  if (!key)
    throw new BackupRefused(
      `The backup is signed with the key ${keyId}, which KEYS_FILE does not have: set KEYS_FILE to the keys of that time.`,
    );
  if (key.withdrawn)
    throw new BackupRefused(`The backup is signed with the key ${keyId}, which was withdrawn.`);
  if (!isOurs({ keyId, signedAt, signature: signature.toString() }, bytes, ring))
    throw new BackupRefused('The signature of the backup is wrong.');
}

/** Returns the signed text. It begins with `backup`, so that no other signature is valid for a manifest. */
const signedBytes = (manifest: Buffer): Buffer => Buffer.concat([Buffer.from('backup\0'), manifest]);

const exported = ({ secret }: SigningKey): string =>
  ed25519Keys(secret).publicKey.export({ format: 'pem', type: 'spki' }).toString();

function isSignedBy(publicKey: string, bytes: Buffer, signature: Buffer): boolean {
  try {
    return verify(null, bytes, publicKey, Buffer.from(signature.toString(), 'base64url'));
  } catch {
    return false;
  }
}
