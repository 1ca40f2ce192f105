import * as z from 'zod';
import { Id, IsoTime, lineText, namedObject } from '../../shared/contract.js';
import { TOKEN_SCOPES } from '../../shared/endpoint.js';
import { TOKEN_NAME_MAX_LENGTH } from '../values.js';

const Scopes = z.array(z.enum(TOKEN_SCOPES)).min(1).max(TOKEN_SCOPES.length);

export const NewAccessToken = z.strictObject({
  name: lineText(TOKEN_NAME_MAX_LENGTH).min(1, 'Enter a name'),
  scopes: Scopes,
  /** Default: the token is valid until the user revokes it. */
  expiresAt: IsoTime.optional(),
});
export type NewAccessToken = z.infer<typeof NewAccessToken>;

export const AccessTokenItem = namedObject('AccessToken', {
  id: Id,
  name: z.string(),
  scopes: Scopes,
  createdAt: IsoTime,
  expiresAt: IsoTime.nullable(),
  /** Accurate to five minutes. */
  lastUsedAt: IsoTime.nullable(),
});
export type AccessTokenItem = z.infer<typeof AccessTokenItem>;
