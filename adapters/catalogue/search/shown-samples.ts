import type { Sample } from '../../../application/catalogue/contract.js';

/** About 40 MB. */
const SHOWN_LIMIT = 20_000;
/** Before a database that did not answer is asked again. */
const OUTAGE_MS = 1_000;

interface Shown {
  sample: Sample;
  structure: string | undefined;
}

/**
 * The samples that visitors were shown last: they need not be read again while nothing has changed that public pages
 * show, and searches go on with them while the database does not answer.
 */
export class ShownSamples {
  private readonly samples = new Map<string, Shown>();
  private outageUntil = 0;

  /** Whether the database is known not to answer, so that a search need not wait for it. */
  get inOutage(): boolean {
    return Date.now() < this.outageUntil;
  }

  beginOutage(): void {
    this.outageUntil = Date.now() + OUTAGE_MS;
  }

  /** @param structure the version of public pages before they were read; undefined: nobody knows */
  keep(samples: readonly Sample[], structure: string | undefined): void {
    for (const sample of samples) {
      this.samples.delete(sample.id);
      this.samples.set(sample.id, { sample, structure });
    }
    for (const oldest of this.samples.keys()) {
      if (this.samples.size <= SHOWN_LIMIT) break;
      this.samples.delete(oldest);
    }
  }

  /** The sample as it is, if it was read at this version. */
  at(structure: string | undefined, id: string): Sample | undefined {
    const shown = this.samples.get(id);
    return structure !== undefined && shown?.structure === structure ? shown.sample : undefined;
  }

  /** Those among `ids` that are known, in that order, as they were last. */
  known(ids: readonly string[]): Sample[] {
    return ids.flatMap((id) => this.samples.get(id)?.sample ?? []);
  }
}
