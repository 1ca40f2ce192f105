import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { invalid, missing } from '../faults.js';
import type { Parameters } from '../parameters.js';
import { list, retrieve, show, type Call, type Routes } from '../router.js';
import { DAY_SECONDS, type World } from '../world.js';

// Stripe keeps events for 30 days.
const KEPT_SECONDS = 30 * DAY_SECONDS;

/** Deletes old events, so that the state of a long-running simulator stays small. */
export function forgetOldEvents(world: World): void {
  const oldest = world.now() - KEPT_SECONDS;
  const waiting = new Set(world.state.deliveries.map((delivery) => delivery.eventId));
  for (const event of Object.values(world.objects.events))
    if (event.created < oldest && !waiting.has(event.id)) delete world.objects.events[event.id];
}

const matches = (type: string, wanted: string): boolean =>
  wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;

function typesIn(parameters: Parameters): string[] | undefined {
  const types = parameters.texts('enabled_events');
  if (types?.length === 0) throw invalid('Invalid array: at least one event is needed', 'enabled_events');
  return types;
}

function urlIn(parameters: Parameters): string | undefined {
  const url = parameters.text('url');
  if (url === null || (url && !/^https?:/.test(url))) throw invalid('Invalid URL', 'url', 'url_invalid');
  return url;
}

/** Creates a webhook endpoint. Only this answer contains its signing secret. */
function create({ world, parameters }: Call): object {
  const [url, types] = [urlIn(parameters), typesIn(parameters)];
  const connect = parameters.flag('connect') ?? false;
  if (!url) throw missing('url');
  if (!types) throw missing('enabled_events');
  const endpoint: Stripe.WebhookEndpoint = {
    id: world.id('we'),
    object: 'webhook_endpoint',
    api_version: parameters.text('api_version') ?? null,
    application: null,
    created: world.now(),
    description: parameters.text('description') ?? null,
    enabled_events: types,
    livemode: false,
    metadata: parameters.metadata(),
    status: 'enabled',
    url,
  };
  parameters.done();
  world.add('webhookEndpoints', endpoint);
  const secret = `whsec_${randomBytes(24).toString('base64url')}`;
  world.state.endpoints[endpoint.id] = { secret, connect };
  return { ...endpoint, secret };
}

function update({ world, id, parameters }: Call): object {
  const endpoint = world.find('webhookEndpoints', id);
  endpoint.url = urlIn(parameters) ?? endpoint.url;
  endpoint.enabled_events = typesIn(parameters) ?? endpoint.enabled_events;
  parameters.assign(endpoint, 'description');
  const disabled = parameters.flag('disabled');
  if (disabled !== undefined) endpoint.status = disabled ? 'disabled' : 'enabled';
  endpoint.metadata = parameters.metadata(endpoint.metadata);
  parameters.done();
  return endpoint;
}

function remove({ world, id }: Call): object {
  world.find('webhookEndpoints', id);
  delete world.objects.webhookEndpoints[id];
  delete world.state.endpoints[id];
  return { id, object: 'webhook_endpoint', deleted: true };
}

export const webhookRoutes: Routes = {
  'GET /v1/events/:id': retrieve('events'),
  'GET /v1/events': list('events', ['created'], ({ parameters }) => {
    const type = parameters.text('type');
    const types = parameters.texts('types');
    const delivered = parameters.flag('delivery_success');
    return (event) =>
      (!type || matches(event.type, type)) &&
      (!types || types.some((wanted) => matches(event.type, wanted))) &&
      (delivered === undefined || (event.pending_webhooks === 0) === delivered);
  }),
  'POST /v1/webhook_endpoints': create,
  'GET /v1/webhook_endpoints': list('webhookEndpoints'),
  'GET /v1/webhook_endpoints/:id': retrieve('webhookEndpoints'),
  'POST /v1/webhook_endpoints/:id': update,
  'DELETE /v1/webhook_endpoints/:id': show(remove),
};
