/** A service that this one depends on does not answer. The same attempt may succeed later. */
export abstract class Unavailable extends Error {}

/** The database does not answer, or no longer answers this node. What was sent may have been written. */
export class DatabaseUnavailable extends Unavailable {
  override name = 'DatabaseUnavailable';
}
