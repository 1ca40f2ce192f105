import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { startChildProduct, type ChildProduct } from '../support/child-product.js';

let product: ChildProduct;

beforeAll(async () => {
  product = await startChildProduct({ SHUTDOWN_DELAY_MS: '1000', SHUTDOWN_LIMIT_MS: '5000' });
}, 120_000);
afterAll(() => product?.remove());

const port = () => Number(new URL(product.url).port);

/** Each time over a connection of its own, as a balancer's checks are. @returns undefined when nobody listens */
const statusOf = async (path: string): Promise<number | undefined> =>
  fetch(product.url + path, { headers: { connection: 'close' } }).then(
    ({ status }) => status,
    () => undefined,
  );

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(10);
}

/** A request whose body is sent by halves. */
function signIn() {
  const body = Buffer.from(JSON.stringify({ email: 'nobody@example.com', password: 'whatever it is' }));
  const socket = connect(port(), '127.0.0.1');
  let text = '';
  const answer = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', () => {});
    socket.once('close', () => resolve(text));
  });
  const head = `POST /api/auth/sign-in HTTP/1.1\r\nHost: localhost\r\nOrigin: ${product.url}`;
  socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`);
  socket.write(body.subarray(0, 10));
  return { finish: () => void socket.write(body.subarray(10)), answer };
}

it('[OPS-12] told to go: first unready, then deaf, then gone when the last request is answered or its time is up', async () => {
  const [slow, endless] = [signIn(), signIn()];
  expect(await statusOf('/readyz')).toBe(200);
  const exit = product.terminate();
  // It goes on listening, and says so to whoever asks.
  await until(async () => (await statusOf('/readyz')) === 503);
  await until(async () => (await statusOf('/healthz')) === undefined);
  slow.finish();
  expect(await slow.answer).toMatch(/^HTTP\/1\.1 401 /);
  expect(await endless.answer).toBe('');
  expect(await exit).toBe(0);
}, 60_000);
