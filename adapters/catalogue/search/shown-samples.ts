import type { Sample } from '../../../application/catalogue/contract.js';

/** About 10 MB. */
const SHOWN_LIMIT = 5_000;
/** Before a database that did not answer is asked again. */
const OUTAGE_MS = 1_000;

/** The samples that visitors were shown last, with which their searches go on while the database does not answer. */
export class ShownSamples {
  private readonly samples = new Map<string, Sample>();
  private outageUntil = 0;

  /** Whether the database is known not to answer, so that a search need not wait for it. */
  get inOutage(): boolean {
    return Date.now() < this.outageUntil;
  }

  beginOutage(): void {
    this.outageUntil = Date.now() + OUTAGE_MS;
  }

  keep(samples: readonly Sample[]): void {
    for (const sample of samples) {
      this.samples.delete(sample.id);
      this.samples.set(sample.id, sample);
    }
    for (const oldest of this.samples.keys()) {
      if (this.samples.size <= SHOWN_LIMIT) break;
      this.samples.delete(oldest);
    }
  }

  /** Those among `ids` that are known, in that order. */
  known(ids: readonly string[]): Sample[] {
    return ids.flatMap((id) => this.samples.get(id) ?? []);
  }
}
