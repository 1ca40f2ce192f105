import { Injectable } from '@nestjs/common';
import type { Middleware } from './middleware.js';

/**
 * Shutdown state of this node. A draining node still answers, but reports that it is not ready and closes
 * connections.
 */
@Injectable()
export class Draining {
  private begun = false;

  begin(): void {
    this.begun = true;
  }

  get isDraining(): boolean {
    return this.begun;
  }

  /** Closes the connection, so that the client's next request reaches another node. */
  readonly closeConnections: Middleware = (_request, response, next) => {
    if (this.begun) response.setHeader('Connection', 'close');
    next();
  };
}
