import { Injectable } from '@nestjs/common';
import type { Middleware } from './middleware.js';

/** A draining node still answers, but reports that it is not ready and closes connections. */
@Injectable()
export class Draining {
  isDraining = false;

  readonly closeConnections: Middleware = (_request, response, next) => {
    if (this.isDraining) response.setHeader('Connection', 'close');
    next();
  };
}
