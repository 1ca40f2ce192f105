/** Whether the search index is in memory. */
export class SearchReadiness {
  /** @param index null in processes without visitors */
  constructor(private readonly index: { wasBuilt: boolean } | null) {}

  get state(): 'building' | 'ready' | undefined {
    if (!this.index) return undefined;
    return this.index.wasBuilt ? 'ready' : 'building';
  }
}
