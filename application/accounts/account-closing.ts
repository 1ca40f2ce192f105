/** What the other contexts must end before a person is erased. */
export abstract class AccountClosing {
  /** Safe to repeat; whatever it throws keeps the account from being erased. */
  abstract close(userId: string): Promise<void>;
  /** What the person is owed and would lose. */
  abstract owed(userId: string): Promise<{ owedMicroUsd: number; availableMicroUsd: number }>;
  /** Keeps what is owed payable to whoever shows the code. */
  abstract claim(userId: string): Promise<{ code: string; payableUntil: string }>;
}
