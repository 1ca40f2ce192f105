import type { ExecutionContext } from '@nestjs/common';
import {
  isRawBody,
  JSON_LIMIT_BYTES,
  type BodyKind,
  type RawBody,
} from '../../../../application/shared/endpoint.js';
import { endpointOf } from '../endpoint-of.js';

export type BodyRule = Pick<RawBody, 'kinds' | 'limitBytes'>;

export const MEDIA_TYPES: Partial<Record<BodyKind, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  multipart: 'multipart/form-data',
};

/** Returns the body that an endpoint declares, or undefined if it takes none. A body is then refused unread. */
export function bodyRuleOf(context: Pick<ExecutionContext, 'getHandler'>): BodyRule | undefined {
  const { body, bodyLimitBytes: limitBytes = JSON_LIMIT_BYTES } = endpointOf(context) ?? {};
  return body && (isRawBody(body) ? body : { kinds: ['json'], limitBytes });
}

export function kindOf({ kinds }: BodyRule, contentType: string): BodyKind | undefined {
  const [mediaType = ''] = contentType.toLowerCase().split(';', 1);
  return kinds.find((kind) => {
    const expected = MEDIA_TYPES[kind];
    return expected === undefined || expected === mediaType.trim();
  });
}
