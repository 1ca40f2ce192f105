import { page } from '../listing.js';
import type { Route } from '../router.js';
import type { World } from '../world.js';

// Stripe keeps events for 30 days.
const KEPT_SECONDS = 30 * 86_400;

/** Deletes events that are too old, so that the state of a long-running simulator stays small. */
export function forgetOldEvents(world: World): void {
  const oldest = world.now() - KEPT_SECONDS;
  const waiting = new Set(world.state.deliveries.map((delivery) => delivery.eventId));
  for (const event of Object.values(world.objects.events))
    if (event.created < oldest && !waiting.has(event.id)) delete world.objects.events[event.id];
}

const matches = (type: string, wanted: string): boolean =>
  wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;

export const eventRoutes: Route[] = [
  {
    method: 'GET',
    pattern: '/v1/events/:id',
    answer: ({ world, path, parameters }) => {
      parameters.done();
      return world.find('events', path['id'] as string);
    },
  },
  {
    method: 'GET',
    pattern: '/v1/events',
    answer: ({ world, parameters }) => {
      const type = parameters.text('type');
      const types = parameters.texts('types');
      const created = parameters.range('created');
      const delivered = parameters.flag('delivery_success');
      const found = world
        .all('events')
        .filter(
          (event) =>
            (!type || matches(event.type, type)) &&
            (!types || types.some((wanted) => matches(event.type, wanted))) &&
            (!created || created(event.created)) &&
            (delivered === undefined || (event.pending_webhooks === 0) === delivered),
        );
      return page(found, parameters, '/v1/events');
    },
  },
];
