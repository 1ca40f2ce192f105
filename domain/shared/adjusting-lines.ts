/** One side of an entry that people make: a debit above zero, a credit below. */
export interface AdjustingLine {
  account: string;
  /** `usd`, or another currency. */
  commodity: string;
  /** In millionths. */
  delta: number;
  /** Where an account has several items: which. */
  about?: string;
}

/** What people post to say what something in suspense was. */
export interface AdjustingEntry {
  lines: AdjustingLine[];
  /** Where the proof of it is. */
  evidence: string;
  /** The month, such as `2026-10`, at whose end it is posted; absent: it is posted when it is agreed to. */
  month?: string;
}
