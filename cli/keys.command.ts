import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { KEY_PURPOSES, type KeyPurpose } from '../application/shared/keys/signing-keys.js';
import { keysFrom, type KeysText } from '../bootstrap/settings/keys.js';
import { CommandRefused } from './refused.js';
import type { Print } from './tools.js';

/**
 * Adds a key for each purpose, or only for `only`. Old keys stay, because they verify what they signed.
 * @param options.into the file of KEYS_FILE, created if it does not exist. If absent, the keys are printed.
 * @throws CommandRefused
 */
export function newKeys(
  { into, only, from = new Date() }: { into?: string; only?: KeyPurpose; from?: Date },
  print: Print,
): void {
  const keys = into !== undefined && existsSync(into) ? readKeys(into) : {};
  for (const purpose of only ? [only] : KEY_PURPOSES) {
    const id = `${from.toISOString().slice(0, 10)}-${randomBytes(3).toString('hex')}`;
    const secret = randomBytes(32).toString('base64url');
    keys[purpose] = [...(keys[purpose] ?? []), { id, secret, from: from.toISOString() }];
  }
  const text = `${JSON.stringify(keys, null, 2)}\n`;
  if (into === undefined) return print(text.trimEnd());
  // Only the owner can read the new file. It replaces the old file in one step, so readers never see a part of it.
  const beside = `${into}.new`;
  writeFileSync(beside, text, { mode: 0o600, flag: 'wx' });
  renameSync(beside, into);
  print(`${into} has new keys, which sign from ${from.toISOString()} on. Restart every node before then.`);
}

/** Marks a key as leaked, so that it no longer signs. @throws CommandRefused */
export function withdrawKey({ file, id }: { file: string; id: string }, print: Print): void {
  const keys = readKeys(file);
  const found = KEY_PURPOSES.flatMap((purpose) => keys[purpose] ?? []).find((key) => key.id === id);
  if (!found) throw new CommandRefused(`${file} has no key ${id}`);
  found.withdrawn = true;
  const text = `${JSON.stringify(keys, null, 2)}\n`;
  checked(text, file);
  writeFileSync(file, text, { mode: 0o600 });
  print(`${id} is withdrawn. Restart every node.`);
}

function readKeys(file: string): KeysText {
  const text = readFileSync(file, 'utf8');
  checked(text, file);
  return JSON.parse(text) as KeysText;
}

function checked(text: string, file: string): void {
  try {
    keysFrom(text, file);
  } catch (error) {
    throw new CommandRefused((error as Error).message.replace(/^Configuration: /, ''));
  }
}
