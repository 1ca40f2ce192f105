import { Injectable } from '@nestjs/common';
import type { Middleware } from './middleware.js';

/** Whether this node is shutting down. It still answers, but reports that it is not ready and closes connections. */
@Injectable()
export class Draining {
  private begun = false;

  begin(): void {
    this.begun = true;
  }

  get isDraining(): boolean {
    return this.begun;
  }

  /** The client's next request should reach another node. */
  readonly closeConnections: Middleware = (_request, response, next) => {
    if (this.begun) response.setHeader('Connection', 'close');
    next();
  };
}
