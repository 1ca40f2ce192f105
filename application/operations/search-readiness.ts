/** Whether searches are answered from memory yet, and whether the node's first visitors wait for that. */
export class SearchReadiness {
  private readonly from: number;

  /** @param index null where searches are never answered from memory */
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

  /** Only at the start, and not for ever: searches without the index are slow, but right. */
  get isAwaited(): boolean {
    return this.state === 'building' && this.now() - this.from < this.limitMs;
  }
}
