import { randomBytes } from 'node:crypto';
import Stripe from 'stripe';
import { invalid, missing } from '../faults.js';
import { page } from '../listing.js';
import type { Parameters } from '../parameters.js';
import type { Call, Route } from '../router.js';

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

/** Creates an endpoint. Only this answer contains the secret. */
function create({ world, parameters }: Call): object {
  const [url, types] = [urlIn(parameters), typesIn(parameters)];
  const description = parameters.text('description') ?? null;
  const version = parameters.text('api_version') ?? null;
  const connect = parameters.flag('connect') ?? false;
  const metadata = parameters.metadata();
  parameters.done();
  if (!url) throw missing('url');
  if (!types) throw missing('enabled_events');
  const endpoint: Stripe.WebhookEndpoint = {
    id: world.id('we'),
    object: 'webhook_endpoint',
    api_version: version,
    application: null,
    created: world.now(),
    description,
    enabled_events: types,
    livemode: false,
    metadata,
    status: 'enabled',
    url,
  };
  const secret = `whsec_${randomBytes(24).toString('base64url')}`;
  world.objects.webhookEndpoints[endpoint.id] = endpoint;
  world.state.endpoints[endpoint.id] = { secret, connect };
  return { ...endpoint, secret };
}

function update({ world, path, parameters }: Call): object {
  const endpoint = world.find('webhookEndpoints', path['id'] as string);
  endpoint.url = urlIn(parameters) ?? endpoint.url;
  endpoint.enabled_events = typesIn(parameters) ?? endpoint.enabled_events;
  const description = parameters.text('description');
  if (description !== undefined) endpoint.description = description;
  const disabled = parameters.flag('disabled');
  if (disabled !== undefined) endpoint.status = disabled ? 'disabled' : 'enabled';
  endpoint.metadata = parameters.metadata(endpoint.metadata);
  parameters.done();
  return endpoint;
}

function remove({ world, path, parameters }: Call): object {
  parameters.done();
  const { id } = world.find('webhookEndpoints', path['id'] as string);
  delete world.objects.webhookEndpoints[id];
  delete world.state.endpoints[id];
  return { id, object: 'webhook_endpoint', deleted: true };
}

const ONE = '/v1/webhook_endpoints/:id';

export const webhookEndpointRoutes: Route[] = [
  { method: 'POST', pattern: '/v1/webhook_endpoints', answer: create },
  {
    method: 'GET',
    pattern: '/v1/webhook_endpoints',
    answer: ({ world, parameters }) =>
      page(world.all('webhookEndpoints'), parameters, '/v1/webhook_endpoints'),
  },
  {
    method: 'GET',
    pattern: ONE,
    answer: ({ world, path, parameters }) => {
      parameters.done();
      return world.find('webhookEndpoints', path['id'] as string);
    },
  },
  { method: 'POST', pattern: ONE, answer: update },
  { method: 'DELETE', pattern: ONE, answer: remove },
];
