import type { SamplePage } from '../../../application/catalogue/contract.js';
import type { Filters } from './filters.js';

export interface FilterBarProps {
  filters: Filters;
  active: number;
  change: (part: Partial<Filters>) => void;
  clear: () => void;
  /** Matches under the filters; undefined while the server counts them. */
  total: number | undefined;
  facets?: SamplePage['facets'];
  /** "Clear all" on Discover, "Clear all filters" on Search. */
  clearLabel: string;
}
