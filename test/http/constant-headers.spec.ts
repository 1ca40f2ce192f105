import { request as ask, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { openShop } from '../support/shop.js';

const NAME = 'offcut.example';

let product: TestProduct;
let pack: string;
let preview: string;

beforeAll(async () => {
  product = await startTestProduct({}, { web: true });
  [pack = ''] = await openShop(product, [
    { name: 'Headers', genre: 'Trap', mood: 'Dark', sounds: [{ name: 'Hum' }] },
  ]);
  const found = await product.browser().get('/api/samples');
  preview = found.body.items[0].previewUrl;
});
afterAll(() => product?.stop());

interface Asked {
  method?: string;
  headers?: Record<string, string>;
}

/** Returns the raw answer, without following redirects or decompressing. */
async function answer(
  { app }: TestProduct,
  path: string,
  { method = 'GET', headers = {} }: Asked = {},
): Promise<IncomingMessage> {
  const { port } = app.getHttpServer().address() as AddressInfo;
  return new Promise((resolve, reject) => {
    ask({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      response.resume().on('end', () => resolve(response));
    })
      .on('error', reject)
      .end();
  });
}

const CONSTANT: Record<string, RegExp> = {
  'content-security-policy':
    /^default-src 'self';script-src 'self' 'wasm-unsafe-eval';script-src-attr 'none';.*object-src 'none';base-uri 'none';.*frame-ancestors 'none'$/,
  'permissions-policy': /camera=\(\)/,
  'referrer-policy': /^strict-origin-when-cross-origin$/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'x-request-id': /^[0-9a-f-]{36}$/,
};
const OVER_TLS: Record<string, RegExp> = {
  ...CONSTANT,
  'content-security-policy': /frame-ancestors 'none';upgrade-insecure-requests$/,
  'strict-transport-security': /^max-age=31536000; includeSubDomains$/,
};

/** Returns a line per answer: its status and the missing headers. */
async function linesOf(
  asked: TestProduct,
  kinds: readonly [number, string, Asked?][],
  wanted: Record<string, RegExp>,
): Promise<string[]> {
  const lines: string[] = [];
  for (const [, path, how] of kinds) {
    const { statusCode, headers } = await answer(asked, path, how);
    const lacking = Object.keys(wanted).filter((name) => !wanted[name]?.test(String(headers[name])));
    if (headers['x-powered-by'] !== undefined) lacking.push('silence about its maker');
    lines.push(`${path} ${statusCode} lacks ${lacking.join(', ') || 'nothing'}`);
  }
  return lines;
}
const complete = (kinds: readonly [number, string, Asked?][]) =>
  kinds.map(([status, path]) => `${path} ${status} lacks nothing`);

it('[OPS-246] the headers that protect are on every kind of answer', async () => {
  const page = await answer(product, '/', { headers: { accept: 'text/html' } });
  const known = await answer(product, '/api/home');
  const [, asset = ''] = /(\/assets\/[^"]+\.css)/.exec((await product.browser().get('/')).body) ?? [];
  const kinds: [number, string, Asked?][] = [
    [200, '/', { headers: { accept: 'text/html' } }],
    [304, '/', { headers: { accept: 'text/html', 'if-none-match': String(page.headers.etag) } }],
    [200, '/', { method: 'HEAD' }],
    [404, '/nobody-lives-here'],
    [404, '/%ff'],
    [301, `${pack.toUpperCase().replace('/PACK/', '/pack/')}`],
    [200, '/api/home'],
    [304, '/api/home', { headers: { 'if-none-match': String(known.headers.etag) } }],
    [200, '/api/samples?q=hum'],
    [400, '/api/samples?bpmMin=quick'],
    [401, '/api/library/downloads'],
    [401, '/api/library/downloads', { headers: { authorization: 'Bearer of-nobody' } }],
    [404, '/api/nothing-here'],
    [404, '/api/packs/nobody/nothing'],
    [403, '/api/auth/sign-in', { method: 'POST', headers: { origin: 'https://elsewhere.example' } }],
    [405, '/api/home', { method: 'DELETE' }],
    [421, '/', { headers: { host: 'elsewhere.example' } }],
    [200, preview],
    [206, preview, { headers: { range: 'bytes=0-9' } }],
    [416, preview, { headers: { range: 'bytes=999999999-' } }],
    [404, '/media/previews/nothing.mp3'],
    [200, asset],
    [200, asset, { headers: { 'accept-encoding': 'br' } }],
    [404, '/assets/nothing.js'],
    [200, '/favicon.svg'],
    [200, '/healthz'],
    [200, '/readyz'],
    [200, '/metrics'],
    [200, '/api/openapi.json'],
    [200, '/robots.txt'],
  ];
  expect(await linesOf(product, kinds, CONSTANT)).toEqual(complete(kinds));
});

it('[OPS-246] over TLS browsers are told to stay with it, refused ones, too', async () => {
  const secure = await startTestProduct({
    PUBLIC_URL: `https://${NAME}`,
    METRICS_TOKEN: 'a-token-of-monitoring',
  });
  try {
    const headers = { host: NAME };
    const kinds: [number, string, Asked][] = [
      [200, '/api/home', { headers }],
      [401, '/api/library/downloads', { headers }],
      [404, '/api/nothing-here', { headers }],
      [401, '/metrics', { headers }],
      [421, '/', { headers: { host: 'elsewhere.example' } }],
    ];
    expect(await linesOf(secure, kinds, OVER_TLS)).toEqual(complete(kinds));
  } finally {
    await secure.stop();
  }
});
