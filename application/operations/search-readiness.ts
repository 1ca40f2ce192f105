/** Whether the search index is in memory, and whether the start of the node waits for it. */
export class SearchReadiness {
  private readonly from: number;

  /** @param index null if searches never use memory */
  constructor(
    private readonly index: { wasBuilt: boolean } | null,
    private readonly limitMs: number,
    private readonly now = () => performance.now(),
  ) {
    this.from = now();
  }

  get state(): 'building' | 'ready' | undefined {
    if (!this.index) return undefined;
    return this.index.wasBuilt ? 'ready' : 'building';
  }

  /** True at the start only, and for a limited time: searches without the index are slow, but correct. */
  get isAwaited(): boolean {
    return this.state === 'building' && this.now() - this.from < this.limitMs;
  }
}
