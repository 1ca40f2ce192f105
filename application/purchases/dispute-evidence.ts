import type { CertifiedCopy, ComparedFile } from './contract.js';

/** A head of the log, which the shop signs each hour. */
interface Head {
  hour: string;
  position: number;
  hash: string;
  /** The hour of the previous head. */
  previous: string | null;
  signedAt: string;
  keyId?: string | undefined;
  signature: string;
}

/** The place of an event in the log. Anyone can check it with the public keys. */
export interface LogProof {
  /** The event as stored: `data` and `metadata` are JSON texts, and the hash covers their exact bytes. */
  event: {
    position: number;
    stream: string;
    version: number;
    type: string;
    recordedAt: string;
    data: string;
    metadata: string;
  };
  previousHash: string;
  hash: string;
  /** The first signed head that covers the event. Null until the next head is signed. */
  head: Head | null;
  /**
   * The signed statement that the hash chain of the log leads from the event to the head. The events between belong to
   * other people, so the chain itself is not shown.
   */
  statement: { signedAt: string; keyId?: string | undefined; signature: string };
}

export abstract class LogProofs {
  /** @throws if the log has no such event, or the hash of the event does not match */
  abstract of(position: number): Promise<LogProof>;
}

/** What a dispute pack contains besides the certificate. */
export interface DisputeEvidence {
  copies: CertifiedCopy[];
  log: LogProof;
  /** When the purchase was undone and its credits returned. */
  returnedAt: string | null;
  waveforms: {
    /** Licensed file's waveform: 400 levels from 0 to 100. Null if the audio has changed. */
    original: number[] | null;
    compared: ComparedFile | null;
  };
}
