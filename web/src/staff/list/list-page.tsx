import { Search } from 'lucide-react';
import type { FormEvent, ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { clsx } from 'clsx';
import { Button } from '../../ui/button.js';
import { Input, Select } from '../../ui/forms/field.js';
import { Segmented } from '../../ui/tabs.js';
import { List, type ListProps, type Rows } from './list.js';
import { PageHead } from '../page-parts.js';

export interface Filter {
  label: string;
  /** By default a menu if there are `options`, else a text field that takes effect with the button "Find". */
  type?: 'date' | 'month' | 'segments';
  /** The possible values with their labels. In `segments`, the first value is chosen by default. */
  options?: Readonly<Record<string, string | { readonly label: string }>>;
  /** The label of the option that does not filter, such as "all". */
  any?: string;
  /** Values in the address that do not match are ignored. */
  pattern?: RegExp;
  placeholder?: string;
  maxLength?: number;
  hideLabel?: boolean;
  className?: string;
}
export type Filters = Readonly<Record<string, Filter>>;

/** The chosen value of each filter; empty if there is none. */
export type Chosen<F extends Filters> = {
  readonly [Name in keyof F]: F[Name] extends { readonly options: infer Options }
    ? (keyof Options & string) | (F[Name] extends { readonly type: 'segments' } ? never : '')
    : string;
};

const PATTERNS = { date: /^\d{4}-\d\d-\d\d$/, month: /^20\d\d-(0[1-9]|1[0-2])$/ };

function valueOf({ type, options, pattern }: Filter, given: string): string {
  if (options) return given in options ? given : type === 'segments' ? (Object.keys(options)[0] ?? '') : '';
  const allowed = type === 'date' || type === 'month' ? PATTERNS[type] : pattern;
  return allowed && !allowed.test(given) ? '' : given;
}

/** The chosen filters. They are in the address, so that a filtered list can be linked, and Back returns to it. */
export function useFilters<const F extends Filters>(filters: F): Chosen<F> {
  const [search] = useSearchParams();
  const chosen = Object.entries(filters).map(([name, filter]) => [
    name,
    valueOf(filter, search.get(name) ?? ''),
  ]);
  return Object.fromEntries(chosen) as Chosen<F>;
}

function Control(props: {
  name: string;
  filter: Filter;
  chosen: Readonly<Record<string, string>>;
  choose: (value: string) => void;
}) {
  const { name, filter, chosen, choose } = props;
  const { options = {}, any, pattern: _, ...field } = filter;
  const { type, label } = field;
  const value = chosen[name] ?? '';
  const listed = Object.entries(options).map(([each, said]) => ({
    value: each,
    label: typeof said === 'string' ? said : said.label,
  }));
  if (type === 'segments')
    return <Segmented label={label} options={listed} value={value} onChange={choose} />;
  if (filter.options)
    return (
      <Select
        label={label}
        value={value}
        options={listed.map((each) => [each.value, each.label])}
        onChange={({ target }) => choose(target.value)}
      >
        {any !== undefined && <option value="">{any}</option>}
      </Select>
    );
  if (type)
    return (
      <Input
        {...field}
        value={value}
        max={(name === 'from' && chosen.to) || undefined}
        min={(name === 'to' && chosen.from) || undefined}
        onChange={({ target }) => choose(target.value)}
      />
    );
  return <Input {...field} name={name} defaultValue={value} autoComplete="off" spellCheck={false} />;
}

export function FilterFields({ filters }: { filters: Filters }) {
  const [search, setSearch] = useSearchParams();
  const chosen = useFilters(filters);
  const choose = (values: Readonly<Record<string, string>>, replace: boolean) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(values))
          if (value) after.set(name, value);
          else after.delete(name);
        return after;
      },
      { replace, preventScrollReset: true },
    );
  const entries = Object.entries(filters);
  const fields = entries.map(([name, filter]) => (
    <Control
      key={name}
      name={name}
      filter={filter}
      chosen={chosen}
      choose={(value) => choose({ [name]: value }, filter.type !== 'segments')}
    />
  ));
  if (entries.every(([, { type, options }]) => type ?? options)) return fields;
  const find = (submitted: FormEvent<HTMLFormElement>) => {
    submitted.preventDefault();
    const texts = [...new FormData(submitted.currentTarget)];
    choose(Object.fromEntries(texts.map(([name, value]) => [name, String(value).trim()])), false);
  };
  return (
    <form
      key={search.toString()}
      role="search"
      className="flex flex-wrap items-end gap-3 max-md:w-full"
      onSubmit={find}
    >
      {fields}
      <Button type="submit" className="min-h-11!" icon={<Search size={16} />}>
        Find
      </Button>
    </form>
  );
}

type Table<Row> = Omit<ListProps<Row>, 'of'>;

interface ListDeclaration<F extends Filters, Row, Answer extends Rows<Row>> {
  /** The heading of a finance page. The staff screen shows the headings of admin pages. */
  heading?: string;
  about?: string;
  filters?: F;
  /** Shown beside the filters, unless the page has both `heading` and `about`. */
  aside?: ReactNode;
  useRows: (chosen: Chosen<F>) => Answer & Rows<Row>;
  list: Table<Row> | ((answer: Answer, chosen: Chosen<F>) => Table<Row>);
}

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
