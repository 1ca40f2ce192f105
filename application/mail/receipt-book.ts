/** Which mails about events were sent. A claim is identified by its time: taking it over sets another time. */
export abstract class ReceiptBook {
  /** @returns `under way` if another worker claimed it after `abandonedBefore` and has not reported it sent */
  abstract claim(fact: string, now: Date, abandonedBefore: Date): Promise<'claimed' | 'under way' | 'sent'>;
  abstract markSent(fact: string, now: Date): Promise<void>;
  /** It was not sent; the next attempt need not wait. A claim that another has taken over since is left alone. */
  abstract release(fact: string, claimedAt: Date): Promise<void>;
}
