import type { DataTag, QueryKey } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { PageHead } from '../../application/pages/contract.js';
import type { User } from '../../application/accounts/contract.js';

export interface Address<Name extends string = string> {
  params: Readonly<Partial<Record<Name, string>>>;
  search: URLSearchParams;
}

/** The names of the parameters in a path: `handle` and `slug` of "/packs/:handle/:slug?". */
type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Optional<Name> | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Optional<Name>
    : never;
type Optional<Name extends string> = Name extends `${infer Required}?` ? Required : Name;

export type FirstQuery = { queryKey: QueryKey; initialPageParam?: unknown };

/** Returns the first queries of a screen. @param user null for a guest, or while the session is unknown */
export type FirstQueries = (address: Address, user: User | null) => readonly FirstQuery[];

/** The audience of a page: anyone with an account, creators including suspended ones, or people with a role. */
export type PageAccess = 'user' | 'payee' | User['roles'][number];

interface Declared<Props> {
  /** The title, or a placeholder such as "Pack" until the name has loaded. Absent: the screen sets the title. */
  title?: string;
  /** `listed`: in the sitemap. `closed`: in robots.txt. Others get `noindex`, unless `head` has a canonical address. */
  crawlers?: 'listed' | 'closed';
  screen: () => Promise<{ default: ComponentType<Props> }>;
  queries?: () => Promise<{ default: FirstQueries }>;
}

/** A restricted page. Visitors without access get neither its screen nor its data. The server never renders it. */
interface Guarded extends Declared<{ user: User }> {
  access: PageAccess;
  /** Why visitors should sign in: the end of "Sign in to …". Without this text, visitors are sent to the start page. */
  invitation?: string;
  load?: undefined;
  head?: undefined;
  drawn?: undefined;
  embeddable?: undefined;
  titleAt?: undefined;
}

interface Open<Answer, Question, Name extends string> extends Declared<object> {
  access?: undefined;
  invitation?: undefined;
  /**
   * The page's first query. The browser starts it when the visitor points at a link to the page, the server before it
   * renders.
   */
  load?: (address: Address<Name>) => Question | undefined;
  /** Makes the head from the answer of `load`. If `load` returns no query, the page does not exist. Server only. */
  head?: () => Promise<(answer: Answer) => PageHead>;
  /** The server renders the page with these query strings, and without one. Absent: it never renders the page. */
  drawn?: readonly string[] | 'any';
  /** Whether other sites can embed a player with the page's sounds. */
  embeddable?: true;
  /** Returns the title if it depends on the query string, as for a search. */
  titleAt?: (search: URLSearchParams) => string;
}

type Declaration<Answer, Question, Name extends string> = Guarded | Open<Answer, Question, Name>;

/** The component of a page. `user` is present on a page with `access`. */
export type Screen = ComponentType<{ user?: User }>;

/** A page of the client; see README.md, "How a page is declared". */
export type Page = Declaration<unknown, FirstQuery, string> & {
  path: string;
  screen: () => Promise<{ default: Screen }>;
};

/** Declares a page. `load` gets the named parts of the path. `head` gets the answer of the query from `load`. */
export const page = <const Path extends string, Answer>(
  path: Path,
  // `DataTag` is the type of the key that `query(...)` returns; it names the type of the answer.
  declaration: Declaration<Answer, { queryKey: DataTag<QueryKey, Answer, Error> }, NamesIn<Path>>,
): Page => ({ path, ...declaration }) as unknown as Page;

export const titleOf = (name?: string): string =>
  name ? `${name} · Offcut` : 'Offcut · Take the leftovers. Make the record.';
