/** What the other contexts must end before a person is erased. */
export abstract class AccountClosing {
  /** Safe to repeat; an error keeps the account from being erased. */
  abstract close(userId: string): Promise<void>;
  /** The balance owed to the person, who would lose it. */
  abstract owed(userId: string): Promise<{ owedMicroUsd: number; availableMicroUsd: number }>;
  /** Keeps the debt payable to the holder of the code. */
  abstract claim(userId: string): Promise<{ code: string; payableUntil: string }>;
}
