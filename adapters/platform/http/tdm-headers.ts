import { tdmHeaders } from '../../../application/catalogue/tdm.js';
import type { HttpResponse } from './request.js';
import type { Middleware } from './middleware.js';

/** Sets headers that state whether models may be trained with the answer. Without permission they forbid it. */
export function markTraining(response: HttpResponse, publicUrl: string, allowed: boolean): void {
  for (const [name, value] of Object.entries(tdmHeaders(publicUrl, allowed))) response.setHeader(name, value);
}

/** Forbids training with answers of the API and media. `/.well-known/tdmrep.json` forbids it for pages. */
export const reservedFromTraining =
  (publicUrl: string): Middleware =>
  (_request, response, next) => {
    markTraining(response, publicUrl, false);
    next();
  };
