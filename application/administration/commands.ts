import { Command } from '@nestjs/cqrs';

/** How many purchases were undone now, and how many wait until a bank has decided about their payment. */
export interface ReturnedPurchases {
  returned: number;
  waiting: number;
}

/** Withdraws a pack against its creator's will and gives back what it cost its buyers; undefined: there is none. */
export class TakeDownPack extends Command<ReturnedPurchases | undefined> {
  constructor(
    readonly packId: string,
    readonly reason: string,
    readonly by: string,
  ) {
    super();
  }
}

/** A sample that is not what it said: everybody's purchase of it is undone, and it stays on sale as it is. */
export class ReturnDefectiveSample extends Command<ReturnedPurchases> {
  constructor(
    readonly sampleId: string,
    readonly reason: string,
    readonly by: string,
  ) {
    super();
  }
}
