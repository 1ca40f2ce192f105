import { Secrets } from './secrets.js';

/** What is signed, or for authenticator apps sealed, by keys that can be kept apart from the data. */
export const KEY_PURPOSES = ['log-heads', 'certificates', 'downloads', 'authenticator-apps'] as const;
export type KeyPurpose = (typeof KEY_PURPOSES)[number];

/** A key of the configuration. */
export interface ConfiguredKey {
  id: string;
  /** 32 secret bytes. */
  secret: Buffer;
  /** When it begins to sign: every node knows it by then. */
  from: Date;
  /** Somebody else may have it: it signs nothing any more. */
  withdrawn: boolean;
}
export type ConfiguredKeys = Readonly<Record<KeyPurpose, readonly ConfiguredKey[]>>;

export const NO_KEYS: ConfiguredKeys = {
  'log-heads': [],
  certificates: [],
  downloads: [],
  'authenticator-apps': [],
};

/** One that signs or verifies; without an id it is the key of the database, with which signing began. */
export interface SigningKey extends Omit<ConfiguredKey, 'id'> {
  id: string | undefined;
}

const IN_DATABASE: Readonly<Record<KeyPurpose, string>> = {
  'log-heads': 'log-head-signing',
  certificates: 'certificate-signing',
  downloads: 'download-links',
  'authenticator-apps': 'authenticator-apps',
};

/** The keys of one purpose. */
export class KeyRing {
  /** @param keys oldest first, at least one that was not withdrawn */
  constructor(readonly keys: readonly SigningKey[]) {}

  /** The newest key that signs at a time. */
  signingAt(time: Date): SigningKey {
    const usable = this.keys.filter(({ withdrawn }) => !withdrawn);
    return (usable.findLast(({ from }) => from <= time) ?? usable[0]) as SigningKey;
  }

  named(id: string | undefined): SigningKey | undefined {
    return this.keys.find((key) => key.id === id);
  }

  /** When the next key took over; undefined for the newest. */
  endOf(key: SigningKey): Date | undefined {
    return this.keys[this.keys.indexOf(key) + 1]?.from;
  }
}

/** The keys of each purpose: those of the configuration, and the one in the database for what was signed before. */
export class SigningKeys {
  private readonly rings = new Map<KeyPurpose, Promise<KeyRing>>();

  constructor(
    private readonly secrets: Secrets,
    readonly configured: ConfiguredKeys,
  ) {}

  of(purpose: KeyPurpose): Promise<KeyRing> {
    const ring = this.rings.get(purpose) ?? this.read(purpose);
    this.rings.set(purpose, ring);
    // A database that did not answer is asked again.
    ring.catch(() => this.rings.delete(purpose));
    return ring;
  }

  private async read(purpose: KeyPurpose): Promise<KeyRing> {
    const secret = await this.secrets.get(IN_DATABASE[purpose]);
    const first: SigningKey = { id: undefined, secret, from: new Date(0), withdrawn: false };
    const configured = this.configured[purpose].toSorted((a, b) => a.from.getTime() - b.from.getTime());
    return new KeyRing([first, ...configured]);
  }
}
