/** One side of a manual entry. Debits are positive, credits negative. */
export interface AdjustingLine {
  account: string;
  /** `usd`, or another currency. */
  commodity: string;
  delta: number;
  about?: string;
}

/** A manual entry that clears an item: in suspense, owed to a customer, or in a reserve. */
export interface AdjustingEntry {
  lines: AdjustingLine[];
  evidence: string;
  /** The month, such as `2026-10`, at whose end the entry is posted. If absent, the entry is posted when approved. */
  month?: string;
}
