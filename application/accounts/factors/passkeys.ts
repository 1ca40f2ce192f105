import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { accountPolicy } from '../../../domain/accounts/policy.js';
import { WallClock } from '../../shared/clock.js';
import { jsonOf } from '../../shared/text.js';
import { AccountMails } from '../account-mails.js';
import { AccountSettings } from '../account-settings.js';
import { AccountStore, type Account } from '../account-store.js';
import type { PasskeyAssertion, PasskeyAttestation, PasskeyOrder, PasskeyQuestion } from './contract.js';
import { PasskeyStore, PasskeyVerifier, type Passkey } from './factor-stores.js';

/** EdDSA, ES256 and RS256. Authenticators of all platforms support one of them. */
const ALGORITHMS = [-8, -7, -257];
const PUBLIC_KEY = 'public-key';

/** Creates and verifies passkeys. A challenge is for one purpose; its signature is refused for any other purpose. */
@Injectable()
export class Passkeys {
  constructor(
    private readonly store: PasskeyStore,
    private readonly verifier: PasskeyVerifier,
    private readonly accounts: AccountStore,
    private readonly mails: AccountMails,
    private readonly clock: WallClock,
    private readonly settings: AccountSettings,
  ) {}

  async order({ userId, email, displayName }: Account, purpose: string): Promise<PasskeyOrder> {
    const known = await this.store.of(userId);
    return {
      challenge: await this.challenge(purpose),
      rp: { id: this.settings.host, name: 'Offcut' },
      user: { id: handleOf(userId), name: email, displayName },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: PUBLIC_KEY, alg })),
      timeout: accountPolicy.challengeLifetimeMs,
      attestation: 'none',
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      excludeCredentials: known.map(descriptorOf),
    };
  }

  /** @returns undefined if the attestation does not answer the challenge, or an account already has the passkey */
  async add(
    userId: string,
    purpose: string,
    attestation: PasskeyAttestation,
    name: string,
  ): Promise<Passkey | undefined> {
    const context = await this.answered(attestation, purpose);
    const made = context && (await this.verifier.made(attestation, context));
    if (!made) return undefined;
    const passkey = { ...made, userId, name, createdAt: this.clock.now() };
    return (await this.store.add(passkey)) ? { ...passkey, lastUsedAt: null } : undefined;
  }

  /** @param userId allows only this user's passkeys. If absent, the passkey that is used identifies the user */
  async question(purpose: string, userId?: string): Promise<PasskeyQuestion> {
    const known = userId === undefined ? [] : await this.store.of(userId);
    return {
      challenge: await this.challenge(purpose),
      rpId: this.settings.host,
      timeout: accountPolicy.challengeLifetimeMs,
      userVerification: 'required',
      allowCredentials: known.map(descriptorOf),
    };
  }

  /** @returns the owner of the passkey; undefined if no passkey signed a challenge for this purpose */
  async prove(purpose: string, assertion: PasskeyAssertion): Promise<string | undefined> {
    const context = await this.answered(assertion, purpose);
    const passkey = context && (await this.store.find(assertion.id));
    if (!context || !passkey) return undefined;
    const { userHandle } = assertion.response;
    if (userHandle && userHandle !== handleOf(passkey.userId)) return undefined;
    const signed = await this.verifier.signed(assertion, passkey.publicKey, context);
    if (!signed) return undefined;
    if (await this.store.used(passkey.credentialId, signed.counter, this.clock.now())) return passkey.userId;
    const owner = await this.accounts.findById(passkey.userId);
    if (owner) await this.mails.send(owner, { letter: 'passkey-copied', passkey: passkey.name });
    return undefined;
  }

  private async challenge(purpose: string): Promise<string> {
    const challenge = randomBytes(32).toString('base64url');
    const expiresAt = new Date(this.clock.now().getTime() + accountPolicy.challengeLifetimeMs);
    await this.store.keepChallenge(challenge, purpose, expiresAt);
    return challenge;
  }

  /** Returns the context of a challenge and uses it up, even if the browser's answer is wrong. */
  private async answered({ response }: PasskeyAssertion | PasskeyAttestation, purpose: string) {
    const challenge = challengeIn(response.clientDataJSON);
    if (challenge === undefined || !(await this.store.useChallenge(challenge, purpose, this.clock.now())))
      return undefined;
    return { challenge, origin: new URL(this.settings.publicUrl).origin, rpId: this.settings.host };
  }
}

const handleOf = (userId: string): string => Buffer.from(userId).toString('base64url');

const descriptorOf = ({ credentialId: id, transports }: Passkey) =>
  ({ type: PUBLIC_KEY, id, transports }) as const;

function challengeIn(clientData: string): string | undefined {
  const data = jsonOf(Buffer.from(clientData, 'base64url').toString());
  return z.object({ challenge: z.string().max(100) }).safeParse(data).data?.challenge;
}
