/** Random keys that all nodes share and the configuration does not contain. They are created on first use. */
export abstract class Secrets {
  /** @returns the same 32 bytes for a name each time */
  abstract get(name: string): Promise<Buffer>;
}

/** Purposes of keys that can be stored apart from the data: signatures, and encryption of secrets and tax details. */
export const KEY_PURPOSES = [
  'log-heads',
  'certificates',
  'downloads',
  'authenticator-apps',
  'tax-details',
] as const;
export type KeyPurpose = (typeof KEY_PURPOSES)[number];

export interface ConfiguredKey {
  id: string;
  secret: Buffer;
  /** When the key begins to sign. Every node must have the key by then. */
  from: Date;
  /** The key may have leaked, so it signs nothing any more. */
  withdrawn: boolean;
}
export type ConfiguredKeys = Readonly<Record<KeyPurpose, readonly ConfiguredKey[]>>;

export const NO_KEYS: ConfiguredKeys = {
  'log-heads': [],
  certificates: [],
  downloads: [],
  'authenticator-apps': [],
  'tax-details': [],
};

/** A key that signs or verifies. The first key, which is in the database, has no id. */
export interface SigningKey extends Omit<ConfiguredKey, 'id'> {
  id: string | undefined;
}

const IN_DATABASE: Readonly<Record<KeyPurpose, string>> = {
  'log-heads': 'log-head-signing',
  certificates: 'certificate-signing',
  downloads: 'download-links',
  'authenticator-apps': 'authenticator-apps',
  'tax-details': 'tax-details',
};

export class KeyRing {
  /** @param keys oldest first; at least one is not withdrawn */
  constructor(readonly keys: readonly SigningKey[]) {}

  signingAt(time: Date): SigningKey {
    const usable = this.keys.filter(({ withdrawn }) => !withdrawn);
    return (usable.findLast(({ from }) => from <= time) ?? usable[0]) as SigningKey;
  }

  named(id: string | undefined): SigningKey | undefined {
    return this.keys.find((key) => key.id === id);
  }

  /** Returns when the next key took over, or undefined for the newest key. */
  endOf(key: SigningKey): Date | undefined {
    return this.keys[this.keys.indexOf(key) + 1]?.from;
  }
}

/** The keys of each purpose, oldest first: the key in the database, then the keys of the configuration. */
export class SigningKeys {
  private readonly rings = new Map<KeyPurpose, Promise<KeyRing>>();

  constructor(
    private readonly secrets: Secrets,
    readonly configured: ConfiguredKeys,
  ) {}

  of(purpose: KeyPurpose): Promise<KeyRing> {
    const ring = this.rings.get(purpose) ?? this.read(purpose);
    this.rings.set(purpose, ring);
    // Forgets a failed read, so that the next call asks the database again.
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
