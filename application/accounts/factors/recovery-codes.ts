import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { WallClock } from '../../shared/clock.js';
import { hashToken } from '../sessions/sessions.js';
import { CodeStore } from './factor-stores.js';
import { base32 } from './one-time-code.js';

const CODES = 10;
/** 120 bits cannot be guessed, so a fast hash is enough. */
const CODE_BYTES = 15;

/** Ten one-time codes for users who have lost their other factors. */
@Injectable()
export class RecoveryCodes {
  constructor(
    private readonly store: CodeStore,
    private readonly clock: WallClock,
  ) {}

  /** Revokes earlier codes. @returns the new codes, which are stored only as hashes */
  async issue(userId: string): Promise<string[]> {
    const codes = Array.from({ length: CODES }, () => base32(randomBytes(CODE_BYTES)).toLowerCase());
    await this.store.replaceRecoveryCodes(userId, codes.map(hashToken), this.clock.now());
    return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-'));
  }

  /** @returns the number of codes left; undefined if the code is invalid */
  use(userId: string, code: string): Promise<number | undefined> {
    const bare = code.toLowerCase().replaceAll(/[\s-]/g, '');
    return this.store.useRecoveryCode(userId, hashToken(bare), this.clock.now());
  }
}
