/** Stores when buyers downloaded purchased files again. */
export abstract class Deliveries {
  abstract record(buyerId: string, sampleIds: readonly string[], at: Date): Promise<void>;
}
