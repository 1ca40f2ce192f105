/** The credits that the operator gives each person once, when their first address is confirmed. */
export abstract class FirstCredits {
  /**
   * Call it before each address is confirmed: if it fails, the address stays unconfirmed, and the next confirmation
   * calls it again.
   * @param confirmed.isFirst the account had no confirmed address so far
   * @returns the number of credits that the account got; 0 if the address was confirmed before, also by an account
   * that was deleted
   */
  abstract give(confirmed: { userId: string; email: string; isFirst: boolean }): Promise<number>;
}
