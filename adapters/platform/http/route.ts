import {
  applyDecorators,
  createParamDecorator,
  Header,
  HttpCode,
  RequestMapping,
  RequestMethod,
  Res,
  UseInterceptors,
  type StreamableFile,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import * as z from 'zod';
import { exactText } from '../../../application/shared/contract.js';
import type { ImpliedProblem } from '../../../application/shared/endpoint-problems.js';
import {
  isRawAnswer,
  isRawBody,
  usualStatus,
  type AnswerOf,
  type BodyOf,
  type DeclaredProblem,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
  type RawAnswer,
} from '../../../application/shared/endpoint.js';
import { DeadlineInterceptor } from './deadline.guard.js';
import { setEndpoint } from './endpoint-of.js';
import { IdempotencyInterceptor } from './idempotency.js';
import { refuse, versionNamedBy, type HttpRequest, type HttpResponse, type Actor } from './request.js';
import { validationPipe } from './validation.js';

export interface Call<E extends Endpoint> {
  actor: E['access'] extends 'public' | 'anonymous' | 'signature' ? Actor | undefined : Actor;
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  idempotencyKey: E extends { idempotent: true } ? string : undefined;
  expectedVersion: number | undefined;
  /** Answers with a problem that the endpoint declares. The answer gets all members of the rejection. */
  refuse(
    rejection: { code: DeclaredProblem<E> | ImpliedProblem; status?: never } & Record<string, unknown>,
  ): never;
  request: HttpRequest;
  response: HttpResponse;
}

type Returned<E extends Endpoint> =
  | AnswerOf<E>
  | (undefined extends AnswerOf<E> ? void : never)
  | (E['answers'][keyof E['answers']] extends { sentBy: 'return' } ? StreamableFile : never);
type Handler<E extends Endpoint> = (call: Call<E>) => Returned<E> | Promise<Returned<E>>;

/**
 * Makes a method the handler of an endpoint. The contract defines path, access, body, limits and validation. A
 * handler with other inputs or answers does not compile.
 * @param options.keepsAnswers who repeats the first answer of an idempotent request: the interceptor, or the handler,
 * which then stores the keys itself
 */
export function Route<const E extends Endpoint>(
  endpoint: E,
  { keepsAnswers = 'interceptor' }: { keepsAnswers?: 'interceptor' | 'handler' } = {},
) {
  return <H extends Handler<E>>(
    target: object,
    name: string,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    const raw = Object.values(endpoint.answers).find((answer) => answer && isRawAnswer(answer)) as
      | RawAnswer
      | undefined;
    const [mediaType, others] = raw?.mediaTypes ?? [];
    ReadCall(endpoint, new CallPipe(endpoint))(target, name, 0);
    if (raw?.sentBy === 'handler') Res()(target, name, 1);
    applyDecorators(
      RequestMapping({ path: endpoint.path, method: RequestMethod[endpoint.method] }),
      HttpCode(usualStatus(endpoint)),
      ...(mediaType && !others && raw?.sentBy === 'return' ? [Header('Content-Type', mediaType)] : []),
      ...(endpoint.inTime ? [UseInterceptors(DeadlineInterceptor)] : []),
      ...(endpoint.idempotent && keepsAnswers === 'interceptor'
        ? [UseInterceptors(IdempotencyInterceptor)]
        : []),
    )(target, name, descriptor);
    setEndpoint(descriptor.value as object, endpoint);
  };
}

type UncheckedCall = Omit<Call<Endpoint>, 'actor' | 'params' | 'query' | 'body'> &
  Record<'actor' | 'params' | 'query' | 'body', unknown>;

const ReadCall = createParamDecorator((endpoint: Endpoint, context: ExecutionContext): UncheckedCall => {
  const http = context.switchToHttp();
  const request = http.getRequest<HttpRequest & { params: unknown; query: unknown }>();
  const { actor, params, query, body } = request;
  return {
    actor,
    params,
    query,
    body,
    idempotencyKey: request.headers['idempotency-key'] as undefined,
    expectedVersion: endpoint.versioned && versionNamedBy(request),
    refuse,
    request,
    response: http.getResponse<HttpResponse>(),
  };
});

/**
 * The schema of path parameters for which the endpoint declares no
 * schema. A parameter for the rest of a path is an array of its segments.
 */
const PathText = z.union([exactText().max(1_100), z.array(exactText().max(1_100)).max(100)]);

class CallPipe implements PipeTransform<UncheckedCall, Promise<UncheckedCall>> {
  private readonly input = validationPipe();
  private readonly params: z.ZodType;

  constructor(private readonly endpoint: Endpoint) {
    this.params = z.object((endpoint.params ?? {}) as z.ZodRawShape).catchall(PathText);
  }

  async transform(call: UncheckedCall): Promise<UncheckedCall> {
    const { body: declared, query } = this.endpoint;
    const schema = declared && (isRawBody(declared) ? declared.schema : declared);
    return {
      ...call,
      params: await this.input.transform(
        { ...(call.params as object) },
        { type: 'param', schema: this.params },
      ),
      query: query && (await this.input.transform(call.query, { type: 'query', schema: query })),
      body: declared && (await this.input.transform(call.body, { type: 'body', ...(schema && { schema }) })),
    };
  }
}
