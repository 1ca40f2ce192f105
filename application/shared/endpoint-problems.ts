import { isRawBody, readsSession, type Access, type Endpoint } from './endpoint.js';
import type { ProblemCode } from './problems.js';

/** Problems of every endpoint: an invalid host or request, too many requests, or a busy or broken service. */
const EVERYWHERE = [
  'InvalidRequest',
  'UnknownHost',
  'TooManyRequests',
  'InternalError',
  'ServiceUnavailable',
  'TooBusy',
] as const satisfies readonly ProblemCode[];

const REFUSED = {
  public: [],
  anonymous: [],
  user: ['NotSignedIn'],
  creator: ['NotSignedIn', 'CreatorAccessRequired', 'CreatorSuspended'],
  payee: ['NotSignedIn', 'CreatorAccessRequired'],
  finance: ['NotSignedIn', 'NotAllowed', 'SecondFactorRequired'],
  admin: ['NotSignedIn', 'NotAllowed', 'SecondFactorRequired'],
  signature: ['NotAllowed'],
} as const satisfies Record<Access, readonly ProblemCode[]>;

const BODY = ['MalformedJson', 'PayloadTooLarge', 'RequestTimeout'] as const satisfies readonly ProblemCode[];

const UPLOAD = ['UploadInterrupted'] as const satisfies readonly ProblemCode[];

const IDEMPOTENT = [
  'IdempotencyKeyMissing',
  'IdempotencyKeyReused',
  'IdempotencyInFlight',
] as const satisfies readonly ProblemCode[];

export type ImpliedProblem =
  | (typeof EVERYWHERE | typeof BODY | typeof UPLOAD | typeof IDEMPOTENT | (typeof REFUSED)[Access])[number]
  | 'CrossSiteRequest'
  | 'TokenNotAllowed'
  | 'UnsupportedMediaType'
  | 'FreshSignInRequired'
  | 'InvalidCursor'
  | 'StaleVersion';

export function problemsOf(endpoint: Endpoint): ProblemCode[] {
  const { method, access, body, idempotent, freshSignIn, versioned, query, problems = [] } = endpoint;
  const uploads = body !== undefined && isRawBody(body) && body.kinds.includes('multipart');
  return [
    ...new Set<ProblemCode>([
      ...problems,
      ...REFUSED[access],
      ...(access === 'public' || !readsSession(access) ? [] : (['TokenNotAllowed'] as const)),
      ...(method === 'GET' || access === 'signature' ? [] : (['CrossSiteRequest'] as const)),
      // An endpoint without a body refuses requests that have one.
      ...(method === 'GET' ? [] : (['UnsupportedMediaType'] as const)),
      ...(body ? BODY : []),
      ...(uploads ? UPLOAD : []),
      ...(idempotent ? IDEMPOTENT : []),
      ...(freshSignIn ? (['FreshSignInRequired'] as const) : []),
      ...(query && 'cursor' in query.shape ? (['InvalidCursor'] as const) : []),
      ...(versioned ? (['StaleVersion'] as const) : []),
      ...EVERYWHERE,
    ]),
  ];
}
