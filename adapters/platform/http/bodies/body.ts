import { applyDecorators, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApiConsumes } from '@nestjs/swagger';
import { JSON_LIMIT_BYTES, type BodyKind } from '../../../../application/shared/endpoint.js';

export interface BodyRule {
  kinds: readonly BodyKind[];
  limitBytes: number;
}

export const MEDIA_TYPES: Partial<Record<BodyKind, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  multipart: 'multipart/form-data',
};

const BODY = 'offcut:body';

/**
 * Declares the body of a route, beside who may call it. A handler with `@Body` takes JSON of `JSON_LIMIT_BYTES`
 * without saying so; a body that no route declares is refused unread.
 */
export function Takes(kinds: BodyKind | readonly BodyKind[], limitBytes = JSON_LIMIT_BYTES) {
  const rule: BodyRule = { kinds: [kinds].flat(), limitBytes };
  const named = rule.kinds.flatMap((kind) => MEDIA_TYPES[kind] ?? []);
  return applyDecorators(SetMetadata(BODY, rule), ...(named.length > 0 ? [ApiConsumes(...named)] : []));
}

/** The body that a route declares; undefined where it takes none. */
export function bodyRuleOf(context: Pick<ExecutionContext, 'getHandler' | 'getClass'>): BodyRule | undefined {
  const handler = context.getHandler();
  const declared = Reflect.getMetadata(BODY, handler) as BodyRule | undefined;
  if (declared) return declared;
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) as
    Record<string, unknown> | undefined;
  const readsBody = Object.keys(parameters ?? {}).some((key) => key.startsWith(`${RouteParamtypes.BODY}:`));
  return readsBody ? { kinds: ['json'], limitBytes: JSON_LIMIT_BYTES } : undefined;
}

/** Which of the declared kinds a content type names. */
export function kindOf({ kinds }: BodyRule, contentType: string): BodyKind | undefined {
  const [mediaType = ''] = contentType.toLowerCase().split(';', 1);
  return kinds.find((kind) => {
    const expected = MEDIA_TYPES[kind];
    return expected === undefined || expected === mediaType.trim();
  });
}
