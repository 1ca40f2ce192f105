import { Unavailable } from './unavailable.js';

/** A node with a newer version has rebuilt a read model, so this node must not append. Another node has to answer. */
export class NewerVersionRuns extends Unavailable {
  override name = 'NewerVersionRuns';

  constructor() {
    super('a newer version is running');
  }
}
