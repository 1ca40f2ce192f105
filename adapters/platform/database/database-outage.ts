/** Before a database that did not answer is asked again. */
const OUTAGE_MS = 1_000;

/** Whether the database is known not to answer, so that nobody waits for it who can go on without. */
export class DatabaseOutage {
  private until = 0;

  get lasts(): boolean {
    return Date.now() < this.until;
  }

  begin(): void {
    this.until = Date.now() + OUTAGE_MS;
  }
}
