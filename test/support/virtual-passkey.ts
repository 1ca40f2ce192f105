import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** The part of CBOR that an authenticator writes. */
type Cbor = number | string | Buffer | Map<number | string, Cbor>;

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flat().map((item) => cbor(item))]);
}

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();
const coordinate = (key: KeyObject, axis: 'x' | 'y'): Buffer =>
  Buffer.from(key.export({ format: 'jwk' })[axis] as string, 'base64url');

const PRESENT = 1;
const VERIFIED = 4;
const WITH_KEY = 64;

/** A passkey in software that answers as a browser would. */
export class VirtualPasskey {
  readonly id = randomBytes(16).toString('base64url');
  /** The counter of the next answer; 0 if the passkey does not count. */
  counter = 1;
  /** Whether it verifies the person. */
  verifies = true;
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  constructor(
    private readonly origin: string,
    private readonly userHandle?: string,
  ) {}

  /** Answers a request to create a passkey. */
  made({ challenge, rp }: { challenge: string; rp: { id: string } }) {
    const { publicKey } = this.keys;
    const key = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(publicKey, 'x')],
      [-3, coordinate(publicKey, 'y')],
    ]);
    const id = Buffer.from(this.id, 'base64url');
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cbor(key)]);
    const authData = Buffer.concat([this.authenticatorData(rp.id, WITH_KEY), credential]);
    const object = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.answer({
      clientDataJSON: this.clientData('webauthn.create', challenge),
      attestationObject: cbor(object).toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Answers a request to sign in. */
  signed({ challenge, rpId }: { challenge: string; rpId: string }) {
    const clientDataJSON = this.clientData('webauthn.get', challenge);
    const data = this.authenticatorData(rpId, 0);
    const bytes = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    return this.answer({
      clientDataJSON,
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', bytes, this.keys.privateKey).toString('base64url'),
      ...(this.userHandle === undefined ? {} : { userHandle: this.userHandle }),
    });
  }

  private answer<Response>(response: Response) {
    return { id: this.id, rawId: this.id, type: 'public-key' as const, response };
  }

  private clientData(type: string, challenge: string): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin })).toString('base64url');
  }

  private authenticatorData(rpId: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    if (this.counter > 0) this.counter += 1;
    const said = PRESENT | (this.verifies ? VERIFIED : 0) | flags;
    return Buffer.concat([sha256(rpId), Buffer.from([said]), counter]);
  }
}
