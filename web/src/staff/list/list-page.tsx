import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { type Chosen, type Filters, FilterFields, useFilters } from './filters.js';
import { List, type ListProps, type Rows } from './list.js';
import { PageHead } from '../page-parts.js';

type Table<Row> = Omit<ListProps<Row>, 'of'>;

interface ListDeclaration<F extends Filters, Row, Answer extends Rows<Row>> {
  /** The heading of a page in finance; the administration has its own. */
  heading?: string;
  about?: string;
  filters?: F;
  /** Beside the filters. */
  aside?: ReactNode;
  /** Reads the rows for the chosen filters. */
  useRows: (chosen: Chosen<F>) => Answer & Rows<Row>;
  list: Table<Row> | ((answer: Answer, chosen: Chosen<F>) => Table<Row>);
}

/** Makes a page out of the declaration of a list. */
export const listPage = <Row, Answer extends Rows<Row>, const F extends Filters = Record<never, never>>(
  declaration: ListDeclaration<F, Row, Answer>,
) =>
  function ListPage() {
    const { heading, about, filters, aside, useRows, list } = declaration;
    const chosen = useFilters(filters ?? {}) as Chosen<F>;
    const answer = useRows(chosen);
    const fields = filters && <FilterFields filters={filters} />;
    return (
      <>
        {heading && (
          <PageHead title={heading} note={about}>
            {about && fields}
          </PageHead>
        )}
        {!(heading && about) && (
          <div
            className={clsx(
              'flex flex-wrap items-center justify-between gap-3 empty:hidden',
              heading ? 'mb-5' : 'mb-4',
            )}
          >
            {fields}
            {aside}
          </div>
        )}
        <List of={answer} {...(typeof list === 'function' ? list(answer, chosen) : list)} />
      </>
    );
  };
