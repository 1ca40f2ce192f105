import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type Filters, NO_FILTERS, countActive, filtersFrom, withFilters } from './filters.js';

/** The filters of the address, and functions that change them. Back undoes a change, and the scroll position stays. */
export function useFilters() {
  const [parameters, setParameters] = useSearchParams();
  const filters = useMemo(() => filtersFrom(parameters), [parameters]);
  const change = useCallback(
    (part: Partial<Filters>) => {
      const next = withFilters(parameters, { ...filters, ...part });
      if (next.toString() !== parameters.toString()) setParameters(next, { preventScrollReset: true });
    },
    [parameters, filters, setParameters],
  );
  const clear = useCallback(() => change(NO_FILTERS), [change]);
  return { filters, active: countActive(filters), change, clear };
}
