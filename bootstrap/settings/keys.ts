import { readFileSync, statSync } from 'node:fs';
import * as z from 'zod';
import {
  KEY_PURPOSES,
  NO_KEYS,
  type ConfiguredKey,
  type ConfiguredKeys,
  type KeyPurpose,
} from '../../application/shared/keys/signing-keys.js';
import { jsonOf } from '../../application/shared/text.js';
import { ConfigError, type Values } from './fields.js';

export const KEYS = {
  KEYS_FILE: z.string().min(1).optional().meta({
    description:
      'A file with the keys that sign log heads, certificates and download addresses, and that encrypt the secrets of authenticator apps and the tax details of creators. `offcut keys new` writes it. Production needs this setting or `KEYS`.',
    computedDefault: 'a key in the database',
  }),
  KEYS: z.string().min(2).optional().describe('The content of that file, where a file is inconvenient.'),
};

const Keys = z
  .array(
    z.strictObject({
      id: z.string().regex(/^[a-z0-9-]{4,40}$/),
      secret: z.base64url().length(43),
      from: z.iso.datetime(),
      withdrawn: z.boolean().default(false),
    }),
  )
  .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length, 'two keys have one id')
  .refine((keys) => keys.length === 0 || keys.some(({ withdrawn }) => !withdrawn), 'every key is withdrawn')
  .default([]);
export const KeysText = z.strictObject(
  Object.fromEntries(KEY_PURPOSES.map((purpose) => [purpose, Keys])) as Record<KeyPurpose, typeof Keys>,
);
export type KeysText = z.input<typeof KeysText>;

/** @throws ConfigError */
export function keysConfig(value: Values<typeof KEYS>) {
  if (value.KEYS !== undefined && value.KEYS_FILE !== undefined)
    throw new ConfigError('Configuration: set KEYS or KEYS_FILE, not both');
  const name = value.KEYS === undefined ? 'KEYS_FILE' : 'KEYS';
  const text = value.KEYS ?? (value.KEYS_FILE === undefined ? undefined : readKept(value.KEYS_FILE));
  return { keysFile: value.KEYS_FILE, signingKeys: text === undefined ? NO_KEYS : keysFrom(text, name) };
}

/** @throws ConfigError, whose message never contains the text, because keys are secret */
export function keysFrom(text: string, name: string): ConfiguredKeys {
  const parsed = KeysText.safeParse(jsonOf(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.length ? `${issue.path.join('.')}: ` : '';
    throw new ConfigError(
      `Configuration: ${name} is not as \`offcut keys new\` writes it: ${place}${issue?.message}`,
    );
  }
  const ringOf = (keys: z.infer<typeof Keys>) =>
    keys.map((key) => ({ ...key, secret: Buffer.from(key.secret, 'base64url'), from: new Date(key.from) }));
  const rings = KEY_PURPOSES.map((purpose) => [purpose, ringOf(parsed.data[purpose])] as const);
  return Object.fromEntries(rings) as Record<KeyPurpose, ConfiguredKey[]>;
}

/** @throws ConfigError if the file is unreadable, or readable by other users of the machine */
function readKept(path: string): string {
  try {
    if (process.platform !== 'win32' && (statSync(path).mode & 0o007) !== 0)
      throw new ConfigError(`Configuration: everybody on this machine may read ${path}: chmod 600 it`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`Configuration: KEYS_FILE cannot be read: ${(error as Error).message}`);
  }
}
