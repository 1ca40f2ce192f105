import * as z from 'zod';
import { int, timeout, url, type Values } from './fields.js';

const duration = int(0, 3_600_000);
const ms = (usual: number) => duration.default(usual);

export const SERVING = {
  HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('The address to listen on. `0.0.0.0`, which the image sets, is every address.'),
  PORT: int(0, 65_535)
    .default(3000)
    .describe('The port to listen on. A worker answers `/healthz`, `/readyz` and `/metrics` there.'),
  PUBLIC_URL: url.optional().meta({
    description:
      'The address that people use. Links in mails begin with it, and requests that change something must come from it.',
    computedDefault: '`http://localhost:PORT`',
  }),
  ALLOWED_HOSTS: z
    .string()
    .regex(/^[\w.[\]:-]+(?:\s*,\s*[\w.[\]:-]+)*$/, 'names with commas between them, without ports')
    .optional()
    .describe(
      'More host names to answer to, separated by commas, for a proxy that does not pass the name that the visitor used. Other names get 421.',
    ),
  TRUST_PROXY: int(0, 10)
    .default(0)
    .describe(
      'How many proxies in front are yours. Offcut believes the visitor address, host, request id and trace that they send.',
    ),
  RATE_LIMIT_SCALE: int(1, 1_000_000).default(1).describe('Multiplies the rate limits, for load tests.'),
  PURCHASE_TIMEOUT_MS: timeout(8_000).describe(
    'How long a purchase may take, in milliseconds. Then the answer is 503. Repeating the request with its key returns the outcome.',
  ),
  SESSION_MEMORY_MS: int(0, 10_000)
    .default(1_000)
    .describe(
      'How long a node caches the account of a session, in milliseconds. A change ends it at once. `0` reads the database with every request.',
    ),
  // Load balancers reuse idle connections for about 60 s. If a node closed them earlier, requests would fail.
  HTTP_KEEP_ALIVE_MS: ms(75_000).describe(
    'How long an idle connection is kept, in milliseconds. Make it longer than your load balancer does.',
  ),
  HTTP_HEADERS_TIMEOUT_MS: timeout(20_000).describe(
    'How long the headers of a request may take, in milliseconds.',
  ),
  HTTP_SILENCE_TIMEOUT_MS: ms(30_000).describe(
    'How long a request body may pause, in milliseconds. Then the answer is 408. A slow upload may take its time.',
  ),
  // Each connection needs a file descriptor and about 20 kB.
  HTTP_MAX_CONNECTIONS: int(1, 1_000_000)
    .default(10_000)
    .describe(
      'How many connections a node accepts. The process may open some hundred files more (`ulimit -n`).',
    ),
  HTTP_MAX_CONNECTIONS_PER_ADDRESS: int(0, 1_000_000).optional().meta({
    description: 'How many of them may come from one IPv4 address or one /64 of IPv6. `0`: no limit.',
    computedDefault: '`1000`; `0` with `TRUST_PROXY`, where all come from the load balancer',
  }),
  SHUTDOWN_DELAY_MS: duration.optional().meta({
    description:
      'How long a node that was asked to stop answers 503 at `/readyz` and still accepts requests, in milliseconds.',
    computedDefault: '`0`; `5000` in production',
  }),
  SHUTDOWN_LIMIT_MS: ms(20_000).describe('How long running requests may take after that, in milliseconds.'),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(?:mailto:[^\s@]+@|https:\/\/)[^\s@]{3,200}$/, 'begins with mailto: or https://')
    .optional()
    .describe(
      'The `mailto:` or `https:` address for reports of vulnerabilities. With it, `/.well-known/security.txt` exists.',
    ),
  SECURITY_POLICY: z
    .string()
    .regex(/^https:\/\/[^\s@]{3,200}$/, 'begins with https://')
    .optional()
    .describe('The address of your policy for such reports.'),
};

/** The default limit is high, because an office of a thousand people may share one IP address. */
const CONNECTIONS_PER_ADDRESS = 1_000;
/** The delay before shutdown: a load balancer that checks every two seconds checks twice in this time. */
const PRODUCTION_DELAY_MS = 5_000;

export type Serving = ReturnType<typeof servingConfig>['serving'];

export const servingConfig = (value: Values<typeof SERVING>, production: boolean) => ({
  port: value.PORT,
  serving: {
    host: value.HOST,
    keepAliveMs: value.HTTP_KEEP_ALIVE_MS,
    headersMs: value.HTTP_HEADERS_TIMEOUT_MS,
    connections: value.HTTP_MAX_CONNECTIONS,
    // Behind a load balancer, all connections come from its address. 0: no limit.
    connectionsPerAddress:
      value.HTTP_MAX_CONNECTIONS_PER_ADDRESS ?? (value.TRUST_PROXY > 0 ? 0 : CONNECTIONS_PER_ADDRESS),
    silenceMs: value.HTTP_SILENCE_TIMEOUT_MS,
    shutdownDelayMs: value.SHUTDOWN_DELAY_MS ?? (production ? PRODUCTION_DELAY_MS : 0),
    shutdownLimitMs: value.SHUTDOWN_LIMIT_MS,
  },
  publicUrl: (value.PUBLIC_URL ?? `http://localhost:${value.PORT}`).replace(/\/$/, ''),
  knownHosts: hostsOf(value, production),
  trustProxyHops: value.TRUST_PROXY,
  rateLimitScale: value.RATE_LIMIT_SCALE,
  purchaseTimeoutMs: value.PURCHASE_TIMEOUT_MS,
  sessionMemoryMs: value.SESSION_MEMORY_MS,
  security: { contact: value.SECURITY_CONTACT, policy: value.SECURITY_POLICY },
});

function hostsOf({ HOST, PUBLIC_URL, ALLOWED_HOSTS }: Values<typeof SERVING>, production: boolean): string[] {
  const machine = ['localhost', '127.0.0.1', '[::1]', HOST.includes(':') ? `[${HOST}]` : HOST];
  return Array.from(
    new Set([
      ...(production ? [] : machine),
      ...(PUBLIC_URL ? [new URL(PUBLIC_URL).hostname] : []),
      ...(ALLOWED_HOSTS?.split(/\s*,\s*/) ?? []),
    ]),
  );
}
