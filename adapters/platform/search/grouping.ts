import { Postings } from './postings.js';
import type { Groups } from './segment.js';

/** Numbers groups, such as packs or creators, in order of first appearance. */
export class Grouping {
  /** Indexed by group number. */
  readonly names: string[] = [];
  private readonly groupOf: Uint32Array;
  private readonly numbers = new Map<string, number>();

  constructor(capacity: number) {
    this.groupOf = new Uint32Array(capacity);
  }

  /** @returns the number of the group */
  put(number: number, group: string): number {
    const known = this.numbers.get(group);
    const of = known ?? this.names.length;
    this.groupOf[number] = of;
    if (known === undefined) {
      this.numbers.set(group, of);
      this.names.push(group);
    }
    return of;
  }

  finish(): Groups {
    return { numbers: this.numbers, samples: Postings.of(this.groupOf, this.numbers.size) };
  }
}
