import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';
import { query } from '../../../api/api.js';
import { utcDay } from '../../../staff/dates.js';
import { Money } from '../../../staff/list/column.js';
import { By } from './named.js';

const TO_FORM = (
  <Link className="underlined" to={staffPaths.financeSuspense} aria-label="Change the amount for alerts">
    Change
  </Link>
);

/**
 * Says below which amount findings raise no alert, who set it and when.
 * @param change leads to the form, which this file does not import, so that the code of the overview stays small
 */
export function MaterialityNote({ change = TO_FORM }: { change?: ReactNode }) {
  const { data } = useQuery(query('GET /api/finance/materiality'));
  if (!data) return null;
  const { amountMicroUsd, by, at } = data;
  return (
    <p className="mb-4 text-sm text-muted">
      {amountMicroUsd === 0 ? (
        'Every finding raises an alert.'
      ) : (
        <>
          Findings below <Money microUsd={amountMicroUsd} /> USD are listed and raise no alert.
        </>
      )}
      {by && at && (
        <>
          {' '}
          Set by <By id={by} />, {utcDay(at)}.
        </>
      )}{' '}
      {change}
    </p>
  );
}
