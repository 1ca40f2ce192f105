import { Injectable } from '@nestjs/common';
import type { Middleware } from './middleware.js';

/** Whether this node was told to go. It answers on, but says that it is not ready, and keeps no connection. */
@Injectable()
export class Draining {
  private begun = false;

  begin(): void {
    this.begun = true;
  }

  get isDraining(): boolean {
    return this.begun;
  }

  /** Whoever asks here again should find another node. */
  readonly closeConnections: Middleware = (_request, response, next) => {
    if (this.begun) response.setHeader('Connection', 'close');
    next();
  };
}
