/** The credits that the operator gives each person once, when their first address is confirmed. */
export abstract class FirstCredits {
  /**
   * Call it with every address that is about to be confirmed, so that a failure is repeated with the confirmation.
   * @param confirmed.isFirst the account had no confirmed address so far
   * @returns the number of credits that the account got; 0 if the address was confirmed before, also by an account
   * that was deleted
   */
  abstract give(confirmed: { userId: string; email: string; isFirst: boolean }): Promise<number>;
}
