import { accept, reject, type Decision } from '../shared/decision.js';

export const PASSWORD_MIN_LENGTH = 8;

export interface WeakPassword {
  code: 'WeakPassword';
  detail: string;
  /** Why the password is refused, as sentences for the screen. */
  reasons: string[];
}

type CommonPasswords = Pick<ReadonlySet<string>, 'has'>;

/** Refuses a password that is short, frequent, or made from the owner's address or name. */
export function judgePassword(
  password: string,
  owner: { email: string; displayName?: string },
  common: CommonPasswords,
): Decision<never, WeakPassword> {
  const reasons: string[] = [];
  if ([...password].length < PASSWORD_MIN_LENGTH)
    reasons.push(`Password must be at least ${PASSWORD_MIN_LENGTH} characters`);
  else if (isCommon(password, common)) reasons.push('This password is among the most common ones');
  else if (namesItsOwner(password, owner))
    reasons.push('The password must not consist mostly of your e-mail address or name');
  return reasons.length === 0
    ? accept()
    : reject({ code: 'WeakPassword', detail: reasons.join('. '), reasons });
}

/** Parts of the address or name that are shorter than this are ignored, because other words contain them. */
const OWN_WORD_MIN_LENGTH = 4;

/** Returns whether a word of the owner's address or name, or "offcut", makes up more than half of a password. */
function namesItsOwner(password: string, owner: { email: string; displayName?: string }): boolean {
  const folded = password.toLowerCase();
  const names = [owner.email, owner.email.split('@')[0], owner.displayName, 'offcut'].map(
    (name) => name?.toLowerCase() ?? '',
  );
  return [...names, ...names.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u))].some(
    (word) =>
      [...word].length >= OWN_WORD_MIN_LENGTH && folded.includes(word) && word.length * 2 > folded.length,
  );
}

const KEY_ROWS = ['01234567890', '09876543210', 'qwertyuiop', 'poiuytrewq', 'asdfghjkl', 'lkjhgfdsa'];
const KEY_RUNS = [...KEY_ROWS, 'zxcvbnm', 'mnbvcxz', 'abcdefghijklmnopqrstuvwxyz'];

/** Digits and signs at the end, which many people add to a word when a form requires them. */
const ENDING = /[\d!@#$%&*.?_-]{1,4}$/;
const WORD_MIN_LENGTH = 4;
const SIGNS: Record<string, string> = {
  '@': 'a',
  4: 'a',
  3: 'e',
  1: 'i',
  '!': 'i',
  0: 'o',
  $: 's',
  5: 's',
  7: 't',
};

/**
 * Returns whether attackers try the password early, in any capitalisation:
 * - a frequent password: as it is, repeated, with signs for letters, or followed by up to four digits or signs
 * - a run of neighbouring keys, or of the alphabet
 * - one to three characters repeated
 */
function isCommon(password: string, common: CommonPasswords): boolean {
  const folded = password.toLowerCase();
  if (common.has(folded) || repeats(folded) || KEY_RUNS.some((run) => run.includes(folded))) return true;
  const [, word = ''] = /^(.+?)\1?$/s.exec(folded.replace(ENDING, '')) ?? [];
  const spelled = word.replaceAll(/[@431!0$57]/g, (sign) => SIGNS[sign] ?? sign);
  return word.length >= WORD_MIN_LENGTH && (common.has(word) || common.has(spelled));
}

/** Matches one to three characters that repeat: `aaaaaaaa`, `abababab`, `123123123`. */
const repeats = (text: string): boolean => /^(.{1,3})\1+.{0,2}$/su.test(text) && distinct(text) <= 3;

const distinct = (text: string): number => new Set(text).size;
