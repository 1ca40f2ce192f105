import { createHmac, timingSafeEqual, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { WallClock } from '../../shared/clock.js';
import { hashToken } from '../sessions/sessions.js';
import { CodeStore } from './factor-stores.js';
import { seal, unsealWith } from '../../shared/keys/sealing.js';
import { SigningKeys, type SigningKey } from '../../shared/keys/signing-keys.js';

const STEP_MS = 30_000;
const DIGITS = 6;
/** How many time steps a code may be early or late, because a phone's clock may be half a minute off. */
const WINDOW = 1;

/** Returns the code of a time step, as in RFC 4226. */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) as number) & 15;
  const number = (mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

export const isCode = (text: string): boolean => /^\d{6}$/.test(text);

/** @returns the time step of a code (RFC 6238); undefined if no step near `now` has this code */
export function stepOf(code: string, secret: Buffer, now: Date): number | undefined {
  const current = Math.floor(now.getTime() / STEP_MS);
  const given = Buffer.from(code);
  for (let step = current - WINDOW; step <= current + WINDOW; step += 1) {
    const expected = Buffer.from(codeAt(secret, step));
    if (given.length === expected.length && timingSafeEqual(given, expected)) return step;
  }
  return undefined;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Encodes as base32 (RFC 4648) without padding, so the length must be a multiple of five bytes. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
}

const CODES = 10;
/** 120 random bits cannot be guessed, so a fast hash suffices to store the code. */
const CODE_BYTES = 15;

@Injectable()
export class RecoveryCodes {
  constructor(
    private readonly store: CodeStore,
    private readonly clock: WallClock,
  ) {}

  /** Creates recovery codes and revokes earlier ones. @returns the codes, which are stored only as hashes */
  async issue(userId: string): Promise<string[]> {
    const codes = Array.from({ length: CODES }, () => base32(randomBytes(CODE_BYTES)).toLowerCase());
    await this.store.replaceRecoveryCodes(userId, codes.map(hashToken), this.clock.now());
    return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-'));
  }

  use(userId: string, code: string): Promise<number | undefined> {
    const bare = code.toLowerCase().replaceAll(/[\s-]/g, '');
    return this.store.useRecoveryCode(userId, hashToken(bare), this.clock.now());
  }
}

/** As long as a SHA-1 hash, because the codes are computed with HMAC-SHA-1. */
const SECRET_BYTES = 20;

@Injectable()
export class AuthenticatorApp {
  constructor(
    private readonly store: CodeStore,
    private readonly keys: SigningKeys,
    private readonly clock: WallClock,
  ) {}

  /** Creates a secret for an app. The secret takes effect when the user enters a code of the app. */
  async order(userId: string, email: string): Promise<{ secret: string; uri: string }> {
    const bytes = randomBytes(SECRET_BYTES);
    const sealed = seal(bytes, (await this.sealingKey()).secret, userId);
    await this.store.keepApp(userId, sealed, this.clock.now());
    const secret = base32(bytes);
    const label = encodeURIComponent(`Offcut:${email}`);
    return { secret, uri: `otpauth://totp/${label}?${new URLSearchParams({ secret, issuer: 'Offcut' })}` };
  }

  async confirm(userId: string, code: string): Promise<boolean> {
    const step = await this.stepOf(userId, code, 'waiting');
    if (step === undefined) return false;
    await this.store.confirmApp(userId, step);
    return true;
  }

  /** Checks a code of the authenticator app. Each code is accepted only once. */
  async prove(userId: string, code: string): Promise<boolean> {
    const step = await this.stepOf(userId, code, 'confirmed');
    return step !== undefined && this.store.useStep(userId, step);
  }

  private async stepOf(userId: string, code: string, state: 'waiting' | 'confirmed') {
    const app = await this.store.app(userId, state);
    if (!app) return undefined;
    const { secret, key } = unsealWith(await this.keys.of('authenticator-apps'), app.sealedSecret, userId);
    const step = stepOf(code, secret, this.clock.now());
    const newest = await this.sealingKey();
    // Seals the secret with the newest key whenever it is used, so that older keys can be retired.
    if (step !== undefined && key !== newest)
      await this.store.resealApp(userId, app.sealedSecret, seal(secret, newest.secret, userId));
    return step;
  }

  private async sealingKey(): Promise<SigningKey> {
    return (await this.keys.of('authenticator-apps')).signingAt(this.clock.now());
  }
}
