/** A node of a newer version has made a read model anew, so that this one must not append: another node has to answer. */
export class NewerVersionRuns extends Error {
  override name = 'NewerVersionRuns';

  constructor() {
    super('a newer version is running');
  }
}
