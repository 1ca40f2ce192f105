import { accept, reject, type Decision } from '../shared/decision.js';
import { isCommonPassword } from './common-passwords.js';

export const PASSWORD_MIN_LENGTH = 8;

export interface WeakPassword {
  code: 'WeakPassword';
  detail: string;
  /** Every reason, as sentences for the screen. */
  reasons: string[];
}

/** A password is refused for being short, or for being among the first that anybody would try. */
export function judgePassword(
  password: string,
  owner: { email: string; displayName?: string },
): Decision<never, WeakPassword> {
  const reasons: string[] = [];
  if ([...password].length < PASSWORD_MIN_LENGTH)
    reasons.push(`Password must be at least ${PASSWORD_MIN_LENGTH} characters`);
  if (isCommonPassword(password)) reasons.push('This password is among the most common ones');
  else if (namesItsOwner(password, owner))
    reasons.push('The password must not be made of your e-mail address or name');
  return reasons.length === 0
    ? accept()
    : reject({ code: 'WeakPassword', detail: reasons.join('. '), reasons });
}

/** Words shorter than this stand in many others. */
const OWN_WORD_MIN_LENGTH = 4;

/** Whether the address, the name, a word of them, or the name of this site makes up more than half of a password. */
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
