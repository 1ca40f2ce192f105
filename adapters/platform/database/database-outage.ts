/** Pause before the next query to a database that did not answer. */
const OUTAGE_MS = 1_000;

/** Remembers that the database did not answer, so that callers who can do without it do not wait. */
export class DatabaseOutage {
  private until = 0;

  get lasts(): boolean {
    return Date.now() < this.until;
  }

  begin(): void {
    this.until = Date.now() + OUTAGE_MS;
  }
}
