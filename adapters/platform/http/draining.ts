import { Injectable } from '@nestjs/common';
import type { Middleware } from './middleware.js';

/** State of a node that will stop. A draining node still answers, but closes connections and reports “not ready”. */
@Injectable()
export class Draining {
  isDraining = false;

  readonly closeConnections: Middleware = (_request, response, next) => {
    if (this.isDraining) response.setHeader('Connection', 'close');
    next();
  };
}
