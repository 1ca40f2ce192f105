import { Controller, Header } from '@nestjs/common';
import type { PublicKeys } from '../../application/operations/contract.js';
import { readPublicKeys } from '../../application/operations/endpoints.js';
import { publicBytes } from '../../application/shared/proof/ed25519.js';
import { SigningKeys, type KeyPurpose } from '../../application/shared/keys/signing-keys.js';
import { Route } from '../platform/http/route.js';

@Controller()
export class PublicKeysController {
  constructor(private readonly keys: SigningKeys) {}

  @Route(readPublicKeys)
  @Header('Cache-Control', 'public, max-age=300')
  async read(): Promise<PublicKeys> {
    const [certificates, logHeads] = await Promise.all([this.of('certificates'), this.of('log-heads')]);
    return { certificates, logHeads };
  }

  private async of(purpose: KeyPurpose): Promise<PublicKeys['certificates']> {
    const { keys } = await this.keys.of(purpose);
    return keys.map(({ id, from, withdrawn, secret }) => ({
      id: id ?? null,
      from: from.toISOString(),
      withdrawn,
      x: publicBytes(secret).toString('base64url'),
    }));
  }
}
