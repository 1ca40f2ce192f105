import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type Filters, NO_FILTERS, countActive, filtersFrom, withFilters } from './filters.js';

/** The filters of the address, and functions that change them. The scroll position stays. */
export function useFilters() {
  const [parameters, setParameters] = useSearchParams();
  const filters = useMemo(() => filtersFrom(parameters), [parameters]);
  const change = useCallback(
    (part: Partial<Filters>) =>
      setParameters((now) => withFilters(now, { ...filtersFrom(now), ...part }), {
        replace: true,
        preventScrollReset: true,
      }),
    [setParameters],
  );
  const clear = useCallback(() => change(NO_FILTERS), [change]);
  return { filters, active: countActive(filters), change, clear };
}
