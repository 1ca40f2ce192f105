import { isRawBody, type Access, type Endpoint } from './endpoint.js';
import type { ProblemCode } from './problems.js';

/** What any endpoint may answer: the service is busy, stopping or broken, the host unknown, the address no text. */
const EVERYWHERE = [
  'InvalidRequest',
  'UnknownHost',
  'TooManyRequests',
  'InternalError',
  'ServiceUnavailable',
  'TooBusy',
] as const satisfies readonly ProblemCode[];

/** How those are refused who may not call. */
const REFUSED = {
  public: [],
  user: ['NotSignedIn'],
  creator: ['NotSignedIn', 'CreatorAccessRequired', 'CreatorSuspended'],
  payee: ['NotSignedIn', 'CreatorAccessRequired'],
  finance: ['NotSignedIn', 'NotAllowed'],
  admin: ['NotSignedIn', 'NotAllowed'],
  signature: ['NotAllowed'],
} as const satisfies Record<Access, readonly ProblemCode[]>;

const BODY = ['MalformedJson', 'PayloadTooLarge', 'RequestTimeout'] as const satisfies readonly ProblemCode[];

const UPLOAD = ['UploadInterrupted'] as const satisfies readonly ProblemCode[];

const IDEMPOTENT = [
  'IdempotencyKeyMissing',
  'IdempotencyKeyReused',
  'IdempotencyInFlight',
] as const satisfies readonly ProblemCode[];

/** What follows from a declaration and need not be declared. */
export type ImpliedProblem =
  | (typeof EVERYWHERE | typeof BODY | typeof UPLOAD | typeof IDEMPOTENT | (typeof REFUSED)[Access])[number]
  | 'CrossSiteRequest'
  | 'UnsupportedMediaType'
  | 'FreshSignInRequired'
  | 'StaleVersion';

/** Every code with which an endpoint refuses: those that it declares, and those that follow from its declaration. */
export function problemsOf(endpoint: Endpoint): ProblemCode[] {
  const { method, access, body, idempotent, freshSignIn, versioned, problems = [] } = endpoint;
  const uploads = body !== undefined && isRawBody(body) && body.kinds.includes('multipart');
  return [
    ...new Set<ProblemCode>([
      ...problems,
      ...REFUSED[access],
      ...(method === 'GET' || access === 'signature' ? [] : (['CrossSiteRequest'] as const)),
      // A body is refused also where none is taken.
      ...(method === 'GET' ? [] : (['UnsupportedMediaType'] as const)),
      ...(body ? BODY : []),
      ...(uploads ? UPLOAD : []),
      ...(idempotent ? IDEMPOTENT : []),
      ...(freshSignIn ? (['FreshSignInRequired'] as const) : []),
      ...(versioned ? (['StaleVersion'] as const) : []),
      ...EVERYWHERE,
    ]),
  ];
}
