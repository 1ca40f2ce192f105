/** Which mails about facts were sent. A claim belongs to its time: whoever takes it over sets another. */
export abstract class ReceiptBook {
  /** @returns `under way` when another claimed it after `abandonedBefore` and has not said that it was sent */
  abstract claim(fact: string, now: Date, abandonedBefore: Date): Promise<'claimed' | 'under way' | 'sent'>;
  abstract markSent(fact: string, now: Date): Promise<void>;
  /** It was not sent; the next attempt need not wait. A claim that another has taken over since is left alone. */
  abstract release(fact: string, claimedAt: Date): Promise<void>;
}
