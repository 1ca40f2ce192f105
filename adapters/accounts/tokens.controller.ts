import { Controller } from '@nestjs/common';
import { AccessTokens, type AccessToken } from '../../application/accounts/tokens/access-tokens.js';
import * as endpoints from '../../application/accounts/tokens/endpoints.js';
import { withIsoTimes } from '../../application/shared/iso-times.js';
import { Route, type Call } from '../platform/http/route.js';

/** Access tokens for programs. */
@Controller()
export class TokensController {
  constructor(private readonly tokens: AccessTokens) {}

  @Route(endpoints.listTokens)
  async list({ actor }: Call<typeof endpoints.listTokens>) {
    return { items: (await this.tokens.of(actor.userId)).map(itemOf) };
  }

  @Route(endpoints.issueToken)
  async issue({ actor, body, refuse }: Call<typeof endpoints.issueToken>) {
    const issued = await this.tokens.issue(actor.userId, body);
    return issued.accepted ? { id: issued.id, token: issued.token } : refuse(issued.rejection);
  }

  @Route(endpoints.revokeToken)
  async revoke({ actor, params, refuse }: Call<typeof endpoints.revokeToken>): Promise<void> {
    if (!(await this.tokens.revoke(actor.userId, params.id))) refuse({ code: 'NotFound' });
  }
}

const itemOf = ({ tokenId: id, userId: _, ...token }: AccessToken) => ({ id, ...withIsoTimes(token) });
