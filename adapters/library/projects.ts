import { Injectable } from '@nestjs/common';
import type { NewProject, ProjectChange, SavedProject } from '../../application/library/contract.js';
import { PROJECTS_LIMIT } from '../../application/library/values.js';
import { Clock } from '../../application/shared/clock.js';
import { lockAccount } from '../platform/database/conflicts.js';
import { Database } from '../platform/database/database.js';

const FIELDS = ['project_id as id', 'name', 'tempo', 'key', 'time_signature as timeSignature'] as const;

@Injectable()
export class Projects {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Returns the projects of a user, newest first. */
  async of(userId: string): Promise<SavedProject[]> {
    return this.database.db
      .selectFrom('project')
      .select(FIELDS)
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .orderBy('project_id')
      .$narrowType<SavedProject>()
      .execute();
  }

  /** Adds a project, or returns the existing one with its id. @returns undefined at `PROJECTS_LIMIT` */
  async add(userId: string, { id, name, tempo, key, timeSignature }: NewProject & { id: string }) {
    return this.database.transaction(async (_, db) => {
      // Concurrent requests of a user could otherwise exceed the limit together.
      await lockAccount(db, userId);
      const projects = await db
        .selectFrom('project')
        .select(FIELDS)
        .where('user_id', '=', userId)
        .$narrowType<SavedProject>()
        .execute();
      const known = projects.find((project) => project.id === id);
      if (known) return known;
      if (projects.length >= PROJECTS_LIMIT) return undefined;
      return db
        .insertInto('project')
        .values({
          user_id: userId,
          project_id: id,
          name,
          tempo,
          key,
          time_signature: timeSignature,
          created_at: this.clock.now(),
        })
        .returning(FIELDS)
        .$narrowType<SavedProject>()
        .executeTakeFirstOrThrow();
    });
  }

  /** @returns undefined if the user has no such project */
  async change(
    userId: string,
    id: string,
    { timeSignature, ...change }: ProjectChange,
  ): Promise<SavedProject | undefined> {
    return this.database.db
      .updateTable('project')
      .set({ project_id: id, ...change, ...(timeSignature && { time_signature: timeSignature }) })
      .where('user_id', '=', userId)
      .where('project_id', '=', id)
      .returning(FIELDS)
      .$narrowType<SavedProject>()
      .executeTakeFirst();
  }

  async remove(userId: string, id: string): Promise<void> {
    await this.database.db
      .deleteFrom('project')
      .where('user_id', '=', userId)
      .where('project_id', '=', id)
      .execute();
  }
}
