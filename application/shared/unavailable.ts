/** A required service does not answer. A later attempt may succeed. */
export abstract class Unavailable extends Error {}

/** The database does not answer, or no longer answers this node. A sent write may have succeeded. */
export class DatabaseUnavailable extends Unavailable {
  override name = 'DatabaseUnavailable';
}

/** A node with a newer version has rebuilt a read model, so this node must not append. Another node has to answer. */
export class NewerVersionRuns extends Unavailable {
  override name = 'NewerVersionRuns';

  constructor() {
    super('a newer version is running');
  }
}

/** The caller waited for the maximum time. The work that was started may still complete. */
export class DeadlinePassed extends Error {
  override name = 'DeadlinePassed';
}
