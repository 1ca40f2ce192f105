/** How much of a purchase's recognised value its creator earns. Versions are kept; each sale names its own. */
export interface SharePolicy {
  policyVersion: number;
  /** Basis points of the value, 0–8000. */
  shareBps: number;
}

export const CURRENT_SHARE_POLICY: SharePolicy = { policyVersion: 1, shareBps: 6_000 };
