import type { CallHandler, CanActivate, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { lastValueFrom, type Observable, of as only } from 'rxjs';
import { DeadlinePassed } from '../../../application/shared/unavailable.js';
import { endpointOf } from './endpoint-of.js';
import type { HttpRequest, HttpResponse } from './request.js';

/** Starts the time limit of an endpoint with `inTime`. Runs first, so that the time of the other guards counts, too. */
export class DeadlineGuard implements CanActivate {
  constructor(private readonly limitMs: number) {}

  canActivate(context: ExecutionContext): boolean {
    if (!endpointOf(context)?.inTime) return true;
    const http = context.switchToHttp();
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(new DeadlinePassed('no answer in time')), this.limitMs);
    http.getResponse<HttpResponse>().once('close', () => clearTimeout(timer));
    http.getRequest<HttpRequest>().deadline = waiting.signal;
    return true;
  }
}

export const inTime = (guard: CanActivate): CanActivate => ({
  canActivate: async (context) => untilDeadline(context, guard.canActivate(context) as Promise<boolean>),
});

/** Ends the wait for a handler at the deadline. The handler's work continues in the background. */
export class DeadlineInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const answer = lastValueFrom(next.handle(), { defaultValue: undefined });
    return only(await untilDeadline(context, answer));
  }
}

async function untilDeadline<Result>(
  context: ExecutionContext,
  work: Promise<Result> | Result,
): Promise<Result> {
  const { deadline } = context.switchToHttp().getRequest<HttpRequest>();
  if (!deadline) return work;
  deadline.throwIfAborted();
  const passed = new Promise<never>((_, reject) =>
    deadline.addEventListener('abort', () => reject(deadline.reason as DeadlinePassed), { once: true }),
  );
  return Promise.race([work, passed]);
}
