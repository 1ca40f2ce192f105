import type Stripe from 'stripe';
import { invalid, noSuch } from './faults.js';
import type { Parameters } from './parameters.js';
import type { Kind, Kinds } from './state.js';
import { idOf, listOf, type Reference, type World } from './world.js';

export interface Call {
  world: World;
  /** The part of the path in place of `:id`; empty if the route has none. */
  id: string;
  pathname: string;
  parameters: Parameters;
}

/** The answer to the download of a file. */
export class FileContents {
  constructor(readonly text: string) {}
}

type Answer = (call: Call) => object;

/** The functions that answer calls, by method and path, such as `GET /v1/customers/:id`. */
export type Routes = Record<string, Answer>;

export function matchRoute(
  routes: Routes,
  method: string,
  pathname: string,
): { answer: Answer; id: string } | undefined {
  const answer = routes[`${method} ${pathname}`];
  if (answer) return { answer, id: '' };
  const parts = pathname.split('/');
  for (const [index, part] of parts.entries()) {
    const found = routes[`${method} ${parts.with(index, ':id').join('/')}`];
    if (found && part) return { answer: found, id: decodeURIComponent(part) };
  }
  return undefined;
}

/** Answers a call that takes no parameters. */
export const show =
  (answer: Answer): Answer =>
  (call) => {
    call.parameters.done();
    return answer(call);
  };

/** @param param the parameter that the error about an unknown id names */
export const retrieve = (kind: Kind, param?: string): Answer =>
  show(({ world, id }) => world.find(kind, id, param));

/**
 * Lists the objects whose fields equal the parameters of the same names. `created` may be a range.
 * @param also reads further parameters, and may return a filter
 */
export const list =
  <K extends Kind>(
    kind: K,
    fields: string[] = [],
    also?: (call: Call) => ((item: Kinds[K]) => boolean) | undefined,
  ): Answer =>
  (call) => {
    const tests = fields.map((field) => testOf(call.parameters, field));
    const alsoFits = also?.(call);
    const found = call.world
      .all(kind)
      .filter((item) => tests.every((fits) => fits(item)) && (alsoFits?.(item) ?? true));
    return page(found, call);
  };

function testOf(parameters: Parameters, field: string): (item: object) => boolean {
  const valueIn = (item: object): unknown => (item as Record<string, unknown>)[field];
  if (field === 'created') {
    const isWithin = parameters.range(field);
    return (item) => isWithin?.(valueIn(item) as number) ?? true;
  }
  if (field === 'active') {
    const active = parameters.flag(field);
    return (item) => active === undefined || valueIn(item) === active;
  }
  const wanted = parameters.text(field);
  return (item) => !wanted || idOf(valueIn(item) as Reference) === wanted;
}

/** Returns one page by `limit`, `starting_after` and `ending_before`. `items` are newest first. */
export function page<Item extends { id?: string }>(
  items: Item[],
  { pathname, parameters }: Call,
): Stripe.ApiList<Item> {
  const limit = parameters.integer('limit') ?? 10;
  if (limit < 1 || limit > 100) throw invalid('Invalid limit: must be between 1 and 100', 'limit');
  const after = parameters.text('starting_after');
  const before = parameters.text('ending_before');
  if (after && before)
    throw invalid('Received both starting_after and ending_before parameters', 'starting_after');
  parameters.done();
  const indexOf = (id: string, param: string): number => {
    const index = items.findIndex((item) => item.id === id);
    if (index < 0) throw noSuch('object', id, param);
    return index;
  };
  const end = before ? indexOf(before, 'ending_before') : items.length;
  const start = after ? indexOf(after, 'starting_after') + 1 : before ? Math.max(0, end - limit) : 0;
  const data = items.slice(start, Math.min(end, start + limit));
  return { ...listOf(data, pathname), has_more: before ? start > 0 : start + limit < items.length };
}
