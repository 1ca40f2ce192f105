import type pg from 'pg';
import { isLostConnection } from './lost-connection.js';
import { Database, CATALOGUE_DATABASE, type DatabaseOptions, type Transacted } from './database.js';
import { Inject, Injectable } from '@nestjs/common';
import { DatabaseProbe } from '../../../application/operations/readiness.js';
import { InlineVersions } from '../projections/inline-versions.js';

const LOOK_AGAIN_MS = 2_000;

type Query = (...given: unknown[]) => Promise<unknown>;

/** A read-only copy of the database. While the copy does not answer, queries go to the primary. */
export class Replica extends Database {
  private isDown = false;
  private again?: NodeJS.Timeout;
  private readonly own: Query;

  constructor(
    url: string,
    options: DatabaseOptions,
    private readonly primary: Database,
  ) {
    super(url, options);
    this.own = this.pool.query.bind(this.pool) as Query;
    const query: Query = (...given) =>
      this.either(
        () => this.own(...given),
        () => (primary.pool.query as Query).apply(primary.pool, given),
      );
    this.pool.query = query as pg.Pool['query'];
  }

  override transaction<Result>(work: Transacted<Result>): Promise<Result> {
    return this.either(
      () => super.transaction(work),
      () => this.primary.transaction(work),
    );
  }

  override longTransaction<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    return this.either(
      () => super.longTransaction(work),
      () => this.primary.longTransaction(work),
    );
  }

  async ping(): Promise<void> {
    await this.own('select 1');
  }

  override async close(): Promise<void> {
    clearInterval(this.again);
    await super.close();
  }

  private async either<Result>(here: () => Promise<Result>, there: () => Promise<Result>): Promise<Result> {
    if (this.isDown) return there();
    try {
      return await here();
    } catch (error) {
      // A query that timed out here would time out on the primary, too.
      if (!isLostConnection(error) || (error as { code?: string }).code === '57014') throw error;
      this.waitForIt();
      return there();
    }
  }

  private waitForIt(): void {
    this.isDown = true;
    this.again ??= setInterval(() => {
      this.ping().then(
        () => {
          clearInterval(this.again);
          this.again = undefined;
          this.isDown = false;
        },
        () => {},
      );
    }, LOOK_AGAIN_MS).unref();
  }
}

@Injectable()
export class ReplicaProbe implements DatabaseProbe {
  constructor(
    @Inject(CATALOGUE_DATABASE) private readonly catalogue: Database,
    private readonly versions: InlineVersions,
  ) {}

  isOutdated(): Promise<boolean> {
    return this.versions.areOutdated();
  }

  pingReplica(): Promise<void> | undefined {
    return this.catalogue instanceof Replica ? this.catalogue.ping() : undefined;
  }
}
