import { dictionary } from '@zxcvbn-ts/language-common';
import { CommonPasswords } from '../../../application/accounts/passwords.js';

/** The 49,000 most frequent passwords in leaked lists, in lower case. Source: zxcvbn-ts, MIT. */
export class ZxcvbnCommonPasswords implements CommonPasswords {
  private readonly passwords = new Set(dictionary['passwords-common'].map(String));

  has(password: string): boolean {
    return this.passwords.has(password);
  }
}
