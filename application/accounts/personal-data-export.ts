import { Injectable } from '@nestjs/common';
import { WallClock } from '../shared/clock.js';
import { AccountStore } from './account-store.js';

/** A copy of all stored data about a user. */
@Injectable()
export class PersonalDataExport {
  constructor(
    private readonly accounts: AccountStore,
    private readonly clock: WallClock,
  ) {}

  async read(userId: string): Promise<Record<string, unknown>> {
    const copy: Record<string, unknown> = {};
    for await (const [heading, value] of this.headings(userId)) copy[heading] = value;
    return copy;
  }

  /** The same as indented JSON, one chunk per heading. */
  async *text(userId: string): AsyncGenerator<string> {
    let before = '{';
    for await (const [heading, value] of this.headings(userId)) {
      const lines = JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
      yield `${before}\n  ${JSON.stringify(heading)}: ${lines}`;
      before = ',';
    }
    yield '\n}\n';
  }

  private async *headings(userId: string): AsyncGenerator<readonly [string, unknown]> {
    yield ['exportedAt', this.clock.now().toISOString()];
    yield* this.accounts.exportPersonalData(userId);
  }
}
