import { StandardSchemaValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import { unstorablePath } from '../../../application/shared/text.js';
import { ProblemException } from './request.js';

/** Lists only the first errors, because the sender determines their number. */
const ERRORS_LIMIT = 50;

interface Issue {
  message: string;
  path?: ReadonlyArray<PropertyKey | { key: PropertyKey }>;
}

const pathOf = (issue: Issue): string =>
  (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');

/** Returns a 400 with `errors: [{path, message}]`. Controllers also call this function for their own checks. */
export function invalidRequest(issues: readonly Issue[]): ProblemException {
  const errors = issues
    .slice(0, ERRORS_LIMIT)
    .map((issue) => ({ path: pathOf(issue).slice(0, 200), message: issue.message.slice(0, 500) }));
  const first = errors[0];
  const detail = first ? (first.path ? `${first.path}: ${first.message}` : first.message) : undefined;
  return new ProblemException('InvalidRequest', { detail, errors });
}

/** Validates by schema. Refuses text that cannot be stored, even if the input has no schema. */
class InputPipe extends StandardSchemaValidationPipe {
  override async transform<T>(value: T, metadata: ArgumentMetadata): Promise<T> {
    const comesIn = metadata.type === 'body' || metadata.type === 'query' || metadata.type === 'param';
    const path = comesIn && !Buffer.isBuffer(value) ? unstorablePath(value) : undefined;
    if (path)
      throw invalidRequest([
        {
          path: [...(metadata.data ? [metadata.data] : []), ...path],
          message: 'contains characters that cannot be stored',
        },
      ]);
    return super.transform(value, metadata);
  }
}

export const validationPipe = (): StandardSchemaValidationPipe =>
  new InputPipe({ exceptionFactory: invalidRequest });
