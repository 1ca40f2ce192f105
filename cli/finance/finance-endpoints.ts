import { ENDPOINTS } from '../../application/all-endpoints.js';
import { isRawAnswer, type Endpoint } from '../../application/shared/endpoint.js';

const PREFIX = '/api/finance/';

/** Excluded endpoints: some have commands of their own, others return files for the browser. */
const OWN =
  /^(?:export|exports|exports\/:id\/file|periods\/:month\/checklist|periods\/:month\/package|reports\/(?:creator-taxes\/:year\.csv|statement\.pdf)|reconciliation|trace\/:id|vat\/:quarter\/firms\.csv)$/;

/**
 * The endpoints that finance can read, by name. A name is the path without parameters and without `reports/`, with
 * hyphens for slashes. Endpoints with fewer parameters come first.
 */
export const FINANCE_ENDPOINTS = new Map<string, Endpoint[]>();
for (const endpoint of ENDPOINTS.toSorted((one, other) => namesIn(one).length - namesIn(other).length)) {
  const path = endpoint.path.replace(PREFIX, '');
  if (endpoint.method !== 'GET' || path === endpoint.path || OWN.test(path)) continue;
  const name = path.replaceAll(/^reports\/|\/?:\w+/g, '').replaceAll('/', '-');
  FINANCE_ENDPOINTS.set(name, [...(FINANCE_ENDPOINTS.get(name) ?? []), endpoint]);
}

export function namesIn({ path }: Endpoint): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/** Returns whether an endpoint answers with text. Such an endpoint has a parameter for the format. */
export const answersText = ({ answers }: Endpoint): boolean =>
  Object.values(answers).some((answer) => answer && isRawAnswer(answer));

/** Returns the endpoint with this name and number of arguments, and the arguments by parameter. */
export function endpointNamed(
  name: string,
  given: readonly (string | undefined)[],
): { endpoint: Endpoint; params: Record<string, string> } | undefined {
  const values = given.filter((value) => value !== undefined);
  const endpoint = FINANCE_ENDPOINTS.get(name)?.find((one) => namesIn(one).length === values.length);
  if (!endpoint) return undefined;
  return {
    endpoint,
    params: Object.fromEntries(namesIn(endpoint).map((param, at) => [param, values[at] ?? ''])),
  };
}
