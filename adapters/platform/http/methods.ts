import type { Endpoint } from '../../../application/shared/endpoint.js';
import { answerProblem } from './problem.filter.js';
import type { Middleware } from './middleware.js';
import { ProblemException } from './request.js';

interface Step {
  named: Map<string, Step>;
  /** The next step if the segment is a parameter, with or without an ending such as `.csv`. */
  any?: Step;
  endpoints: Endpoint[];
}

const step = (): Step => ({ named: new Map(), endpoints: [] });

function treeOf(endpoints: readonly Endpoint[]): Step {
  const root = step();
  for (const endpoint of endpoints) {
    let at = root;
    for (const segment of endpoint.path.slice(1).split('/')) {
      const next: Step = segment.startsWith(':') ? (at.any ??= step()) : (at.named.get(segment) ?? step());
      if (!segment.startsWith(':')) at.named.set(segment, next);
      at = next;
    }
    at.endpoints.push(endpoint);
  }
  return root;
}

function endpointsAt(at: Step | undefined, [segment, ...rest]: readonly string[]): Endpoint[] {
  if (!at) return [];
  if (segment === undefined) return at.endpoints;
  return [...endpointsAt(at.named.get(segment), rest), ...(segment ? endpointsAt(at.any, rest) : [])];
}

const isOpen = ({ method, access, tag }: Endpoint): boolean =>
  method === 'GET' && access === 'public' && tag === 'Catalogue';

/**
 * Refuses a method that no endpoint of the path has, and lists the path's methods in
 * `Allow`. Pages of other sites may read the
 * catalogue, without cookies.
 */
export function methodsOf(endpoints: readonly Endpoint[]): Middleware {
  const tree = treeOf(endpoints);
  return (request, response, next) => {
    const { method = 'GET' } = request;
    const [path = ''] = request.originalUrl.split('?');
    const found = endpointsAt(tree, path.slice(1).split('/'));
    // Routes decode their parameters, so a parameter with an encoded slash belongs to no path here.
    if (found.length === 0 || /%2f/i.test(path)) return next();
    if (found.some(isOpen)) {
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    }
    const methods = new Set<string>(found.map((endpoint) => endpoint.method));
    if (methods.has('GET')) methods.add('HEAD');
    const allowed = [...methods, 'OPTIONS'].join(', ');
    if (method === 'OPTIONS') {
      response.setHeader('Allow', allowed);
      if (found.some(isOpen)) {
        response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD');
        response.setHeader('Access-Control-Allow-Headers', 'Authorization');
        response.setHeader('Access-Control-Max-Age', '86400');
      }
      response.writeHead(204).end();
      return;
    }
    if (methods.has(method)) return next();
    answerProblem(request, response, new ProblemException('MethodNotAllowed', {}, { Allow: allowed }));
  };
}
