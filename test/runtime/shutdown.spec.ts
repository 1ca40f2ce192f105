import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { startChildProduct, type ChildProduct } from '../support/child-product.js';
import { HttpClient } from '../support/http-client.js';
import { draftPack, packOf, wav } from '../support/publishing.js';
import { until } from '../support/until.js';

let product: ChildProduct;

beforeAll(async () => {
  product = await startChildProduct({ SHUTDOWN_DELAY_MS: '1000', SHUTDOWN_LIMIT_MS: '10000' });
});
afterAll(() => product?.remove());

const port = () => Number(new URL(product.url).port);

/** Uses a new connection each time, as a balancer's checks do. @returns undefined if no process listens */
const statusOf = async (path: string): Promise<number | undefined> =>
  fetch(product.url + path, { headers: { connection: 'close' } }).then(
    ({ status }) => status,
    () => undefined,
  );

/** Sends a request's body in two halves. */
function byHalves(path: string, body: Buffer, headers: Record<string, string>) {
  const socket = connect(port(), '127.0.0.1');
  let text = '';
  const answer = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', () => {});
    socket.once('close', () => resolve(text));
  });
  const head = { Host: 'localhost', Origin: product.url, 'Content-Length': `${body.length}`, ...headers };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  const half = Math.ceil(body.length / 2);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  socket.write(body.subarray(0, half));
  return { finish: () => void socket.write(body.subarray(half)), answer };
}

const signIn = () =>
  byHalves(
    '/api/auth/sign-in',
    Buffer.from(JSON.stringify({ email: 'nobody@example.com', password: 'whatever it is' })),
    { 'Content-Type': 'application/json' },
  );

/** Uploads a creator's first sample. */
async function uploading() {
  const creator = await HttpClient.signUp(product.url);
  expect((await creator.post('/api/creator/application', {})).status).toBe(201);
  const { id } = await draftPack(creator);
  const form = new FormData();
  form.append('meta', '{}');
  form.append('audio', new Blob([new Uint8Array(wav())]), 'Hum.wav');
  const packed = new Response(form);
  const upload = byHalves(`/api/creator/packs/${id}/samples`, Buffer.from(await packed.arrayBuffer()), {
    'Content-Type': packed.headers.get('content-type') as string,
    Cookie: [...creator.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  });
  return { creator, id, ...upload };
}

it('[OPS-12] told to go: first unready, then deaf, then gone when the last request is answered and the last upload made a sample, or their time is up', async () => {
  const upload = await uploading();
  const [slow, endless] = [signIn(), signIn()];
  expect(await statusOf('/readyz')).toBe(200);
  const exit = product.terminate();
  // The node still listens, and reports that it is unready.
  await until(async () => (await statusOf('/readyz')) === 503);
  await until(async () => (await statusOf('/healthz')) === undefined);
  slow.finish();
  expect(await slow.answer).toMatch(/^HTTP\/1\.1 401 /);
  upload.finish();
  expect(await upload.answer).toMatch(/^HTTP\/1\.1 201 /);
  expect(await endless.answer).toBe('');
  expect(await exit).toBe(0);
  await product.restart();
  expect((await packOf(upload.creator, upload.id)).samples).toEqual([
    expect.objectContaining({ name: 'Hum' }),
  ]);
});
