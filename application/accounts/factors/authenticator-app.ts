import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { WallClock } from '../../shared/clock.js';
import { Secrets } from '../../shared/secrets.js';
import { CodeStore } from './factor-stores.js';
import { base32, stepOf } from './one-time-code.js';
import { seal, unseal } from './sealing.js';

/** As long as the hash that the codes are made with. */
const SECRET_BYTES = 20;

/** Codes of an app on the phone, for which both sides know a secret. */
@Injectable()
export class AuthenticatorApp {
  private key?: Promise<Buffer>;

  constructor(
    private readonly store: CodeStore,
    private readonly secrets: Secrets,
    private readonly clock: WallClock,
  ) {}

  /** A new secret, which counts once a code of it was given. */
  async order(userId: string, email: string): Promise<{ secret: string; uri: string }> {
    const bytes = randomBytes(SECRET_BYTES);
    await this.store.keepApp(userId, seal(bytes, await this.sealingKey(), userId), this.clock.now());
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

  /** Each code counts once. */
  async prove(userId: string, code: string): Promise<boolean> {
    const step = await this.stepOf(userId, code, 'confirmed');
    return step !== undefined && this.store.useStep(userId, step);
  }

  private async stepOf(userId: string, code: string, state: 'waiting' | 'confirmed') {
    const app = await this.store.app(userId, state);
    return app && stepOf(code, unseal(app.sealedSecret, await this.sealingKey(), userId), this.clock.now());
  }

  private sealingKey(): Promise<Buffer> {
    this.key ??= this.secrets.get('authenticator-apps').catch((error: unknown) => {
      this.key = undefined;
      throw error;
    });
    return this.key;
  }
}
