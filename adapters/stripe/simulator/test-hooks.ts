import type { IncomingMessage } from 'node:http';
import { readFields } from './page-routes.js';
import type { Answer, Simulation } from './simulation.js';

const json = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const MAX_DAYS = 3660;
const MAX_TIMES = 1000;

const numberOf = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;

/**
 * Levers that Stripe does not have:
 * - `POST /_test/advance {days}` moves the clock; renewals, retries and expiries happen on the way
 * - `POST /_test/fail-next-payment {times = 1, customer?}` declines the next charges
 * - `POST /_test/drop-webhooks {times}` loses the next events' webhooks for good
 */
export async function answerTestHook(
  simulation: Simulation,
  request: IncomingMessage,
  url: URL,
  body: string,
): Promise<Answer> {
  const { world, courier } = simulation;
  if (request.method !== 'POST') return json(405, { error: 'POST only' });
  const fields = readFields(request, body);
  switch (url.pathname) {
    case '/_test/advance': {
      const days = numberOf(fields['days']);
      if (!(days > 0 && days <= MAX_DAYS))
        return json(400, { error: `days must be above 0 and at most ${MAX_DAYS}` });
      const { now, happened } = await simulation.advance(days);
      return json(200, { now: now.toISOString(), happened });
    }
    case '/_test/fail-next-payment': {
      const times = fields['times'] === undefined ? 1 : numberOf(fields['times']);
      if (!Number.isInteger(times) || times < 0 || times > MAX_TIMES)
        return json(400, { error: 'times must be a count' });
      const customer = typeof fields['customer'] === 'string' ? { customer: fields['customer'] } : {};
      simulation.change(() => (world.state.failNext = { times, ...customer }));
      return json(200, { failNext: world.state.failNext });
    }
    case '/_test/drop-webhooks': {
      const times = numberOf(fields['times']);
      if (!Number.isInteger(times) || times < 0 || times > MAX_TIMES)
        return json(400, { error: 'times must be a count' });
      courier.dropNext = times;
      return json(200, { dropNext: times });
    }
    default:
      return json(404, { error: 'no such lever' });
  }
}
