import type { NamesAnswer, PeopleAnswer } from '../contract.js';

/** Users with accounts, for staff. */
export abstract class PeopleQueries {
  /** Exact matches first. */
  abstract people(text: string): Promise<PeopleAnswer>;
  abstract names(ids: readonly string[]): Promise<NamesAnswer>;
  abstract exists(userId: string): Promise<boolean>;
}
