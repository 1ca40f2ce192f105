/** What the other contexts must end before a person is erased. */
export abstract class AccountClosing {
  /** Safe to repeat; whatever it throws keeps the account from being erased. */
  abstract close(userId: string): Promise<void>;
}
