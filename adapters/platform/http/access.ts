import { SetMetadata, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Role } from '../../../application/accounts/contract.js';
import type { Access } from '../../../application/shared/endpoint.js';

export const ACCESS = 'offcut:access';
export const AccessFor = (access: Access) => SetMetadata(ACCESS, access);

/** The route needs an `Idempotency-Key` header (a UUID); the guard checks its form. */
export const IDEMPOTENT = 'offcut:idempotent';
export const NeedsIdempotencyKey = () => SetMetadata(IDEMPOTENT, true);

/** The route moves or erases what cannot be had back: a session alone, which may be stolen, is not enough. */
export const FRESH_SIGN_IN = 'offcut:fresh-sign-in';
export const NeedsFreshSignIn = () => SetMetadata(FRESH_SIGN_IN, true);

/** Who calls, as the session says; never as the body says. */
export interface Actor {
  userId: string;
  displayName: string;
  email: string;
  isCreator: boolean;
  roles: Role[];
  sessionId: string;
  /** When somebody last signed in, or gave the password, in this session. */
  authenticatedAt: Date;
  hasPassword: boolean;
}

/** The caller; undefined on public routes without a session. */
export const CurrentActor = createParamDecorator(
  (_: unknown, context: ExecutionContext): Actor | undefined =>
    context.switchToHttp().getRequest<{ actor?: Actor }>().actor,
);

/** The `Idempotency-Key` of a route that needs one. */
export const IdempotencyKey = createParamDecorator(
  (_: unknown, context: ExecutionContext): string =>
    context.switchToHttp().getRequest<{ headers: Record<string, string> }>().headers[
      'idempotency-key'
    ] as string,
);
