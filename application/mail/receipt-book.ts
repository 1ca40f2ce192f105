/** Records which mails about events were sent. A worker claims a mail first. The time identifies the claim. */
export abstract class ReceiptBook {
  /** @returns `under way` if another worker claimed it after `abandonedBefore` and has not reported it as sent */
  abstract claim(fact: string, now: Date, abandonedBefore: Date): Promise<'claimed' | 'under way' | 'sent'>;
  abstract markSent(fact: string, now: Date): Promise<void>;
  /**
   * Releases the claim of a mail that was not sent, so that the next attempt need not wait. Does nothing if another
   * worker took the claim over.
   */
  abstract release(fact: string, claimedAt: Date): Promise<void>;
}
