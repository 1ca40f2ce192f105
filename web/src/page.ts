import type { DataTag, QueryKey } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { PageHead } from '../../application/pages/contract.js';
import type { User } from '../../application/accounts/contract.js';

/** The parts of an address: the named parts of its path, decoded, and its query. */
export interface Address<Name extends string = string> {
  params: Readonly<Partial<Record<Name, string>>>;
  search: URLSearchParams;
}

/** The names of `:parts` in a path; the last one may be left out. */
type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Optional<Name> | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Optional<Name>
    : never;
type Optional<Name extends string> = Name extends `${infer Required}?` ? Required : Name;

/** Options of `useQuery` or `useInfiniteQuery`, as the screen uses them. */
export type FirstQuery = { queryKey: QueryKey; initialPageParam?: unknown };

/** What a screen asks first. @param user who is signed in, as far as that is known */
export type FirstQueries = (address: Address, user: User | null) => readonly FirstQuery[];

/** Whom a page is for: anybody with an account, creators and those who were suspended, or people with a role. */
export type PageAccess = 'user' | 'payee' | User['roles'][number];

interface Declared<Props> {
  /** Its name; for a page about one thing, the kind of thing. Absent if only its screen knows. */
  title?: string;
  /** `listed` in the sitemap and with an address of its own; `closed` in robots.txt; neither is found by search engines. */
  crawlers?: 'listed' | 'closed';
  /** The component, in a file of its own. */
  screen: () => Promise<{ default: ComponentType<Props> }>;
  /**
   * The first queries of a page that the server never draws, in a file of their own that comes beside the screen's.
   * Those of a page with `access` start once it is known that the visitor has it.
   */
  queries?: () => Promise<{ default: FirstQueries }>;
}

/** A page for some. Others get neither its screen nor its answers, and the server never draws it. */
interface Guarded extends Declared<{ user: User }> {
  access: PageAccess;
  /** What visitors read who are not signed in. Without it, others are led to the start page. */
  invitation?: (search: URLSearchParams) => { title?: string; text: string };
  load?: undefined;
  head?: undefined;
  drawn?: undefined;
}

interface Open<Answer, Question, Name extends string> extends Declared<object> {
  access?: undefined;
  invitation?: undefined;
  /**
   * The page's first queries. They start when the visitor shows intent to go there, at the latest with the screen's
   * file, and on the server for the first paint. Undefined if there are none.
   */
  load?: (address: Address<Name>) => Question | undefined;
  /**
   * What search engines and chat previews read about a page about one thing, made from the answer of `load`.
   * Without an answer there is no page. Only the server fetches this.
   */
  head?: () => Promise<(answer: Answer, search: URLSearchParams) => PageHead>;
  /** Present where the server draws it: without a query, and with each of these. */
  drawn?: readonly string[];
}

type Declaration<Answer, Question, Name extends string> = Guarded | Open<Answer, Question, Name>;

/** What a screen gets: the person, on a page with `access`. */
export type Screen = ComponentType<{ user?: User }>;

/** A page of the client; see README.md, "How a page is declared". */
export type Page = Declaration<unknown, FirstQuery, string> & {
  path: string;
  screen: () => Promise<{ default: Screen }>;
};

/** Declares a page. Its loader gets the named parts of the path, its head what the loader asks for. */
export const page = <const Path extends string, Answer>(
  path: Path,
  // Made by `query(...)`, so that queries know the type of their answer.
  declaration: Declaration<Answer, { queryKey: DataTag<QueryKey, Answer, Error> }, NamesIn<Path>>,
): Page => ({ path, ...declaration }) as unknown as Page;

/** The title of a page by its name; without one it is the site's. */
export const titleOf = (name?: string): string =>
  name ? `${name} · Offcut` : 'Offcut · Take the leftovers. Make the record.';
