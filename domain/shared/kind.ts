/** A loop repeats, a one-shot is triggered, and a take is a longer recording without a tempo. */
export const KINDS = ['loop', 'one-shot', 'take'] as const;
export type Kind = (typeof KINDS)[number];

export const KIND_REASONS = ['name', 'markers', 'decay', 'length'] as const;

/** The kind that the file of a sound suggests, and what decided it. */
export interface SuggestedKind {
  kind: Kind;
  /** The chance that the kind is right, from 0 to 1. */
  confidence: number;
  because: (typeof KIND_REASONS)[number];
}
