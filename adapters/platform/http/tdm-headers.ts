import { tdmHeaders } from '../../../application/catalogue/tdm.js';
import type { HttpResponse } from './request.js';
import type { Middleware } from './middleware.js';

/** Whether models may be trained with what is answered; without another word, nothing may. */
export function markTraining(response: HttpResponse, publicUrl: string, allowed: boolean): void {
  for (const [name, value] of Object.entries(tdmHeaders(publicUrl, allowed))) response.setHeader(name, value);
}

/** For what is no page: of those `/.well-known/tdmrep.json` tells. */
export const reservedFromTraining =
  (publicUrl: string): Middleware =>
  (_request, response, next) => {
    markTraining(response, publicUrl, false);
    next();
  };
