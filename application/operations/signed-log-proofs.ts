import { Injectable } from '@nestjs/common';
import { LogProofs, type LogProof } from '../purchases/dispute-evidence.js';
import { WallClock } from '../shared/clock.js';
import { EventStore } from '../shared/event-store.js';
import { SigningKeys } from '../shared/keys/signing-keys.js';
import { GENESIS_HASH, nextHash } from '../shared/proof/hash-chain.js';
import { SignedHeads, signatureOf, signing } from './signed-heads.js';

/**
 * Proves that a single event is at its position in the log. The nightly check verifies the hash chain from the
 * events to the signed heads.
 */
@Injectable()
export class SignedLogProofs implements LogProofs {
  constructor(
    private readonly log: EventStore,
    private readonly heads: SignedHeads,
    private readonly keys: SigningKeys,
    private readonly clock: WallClock,
  ) {}

  async of(position: number): Promise<LogProof> {
    const before = Math.max(0, position - 2);
    const stored = await this.log.readStored({ after: before, limit: position - before });
    const event = stored.at(-1);
    const previousHash = stored.at(-2)?.hash ?? GENESIS_HASH;
    if (event?.position !== position || nextHash(previousHash, event) !== event.hash)
      throw new Error(`event ${position} of the log is missing or does not match its hash`);
    const head = await this.heads.covering(event);
    const now = this.clock.now();
    const key = (await this.keys.of('log-heads')).signingAt(now);
    const by = signing(key, now);
    const { hash, recordedAt, ...facts } = event;
    const signature = signatureOf(bytesOf({ position, hash }, head, by), key);
    return {
      event: { ...facts, recordedAt: recordedAt.toISOString() },
      previousHash,
      hash,
      head,
      statement: { ...by, signature },
    };
  }
}

/** Returns the signed text. It begins with `placed`, so that the signature of a head never proves a place. */
function bytesOf(
  { position, hash }: { position: number; hash: string },
  head: LogProof['head'],
  { signedAt, keyId }: { signedAt: string; keyId?: string | undefined },
): Buffer {
  const place = head ? [head.hour, head.position, head.hash] : [null, null, null];
  return Buffer.from(JSON.stringify(['placed', position, hash, ...place, signedAt, keyId ?? null]));
}
