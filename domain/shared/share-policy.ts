/** The creator's part of a purchase's value. Old versions stay, and each sale names its version. */
export interface SharePolicy {
  policyVersion: number;
  /** The share in basis points of the value, 0 to 8000. */
  shareBps: number;
}

export const CURRENT_SHARE_POLICY: SharePolicy = { policyVersion: 1, shareBps: 6_000 };
