/**
 * What 16 hostile connections do to everybody else: each known way to make the server work much for little, beside
 * honest visitors who read pages and listen.
 *
 *   npm run bench -- bench/abuse.ts [seconds]
 *
 * Both kinds share this process, so a part of what is added is the client's own work.
 *
 * Prints the honest p50 and p99 of a quiet machine and, for each attack, how many times as long they take.
 */
import { gzipSync } from 'node:zlib';
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { startChildProduct } from '../test/support/child-product.js';
import { HttpClient } from '../test/support/http-client.js';
import { quantile } from './support/measure.js';

const SECONDS = Number(process.argv[2] ?? 6);
const HOSTILE = 16;
const HONEST_PATHS = ['/healthz', '/api/home', '/api/discover', '/api/samples?q=kick'];
const PASSWORD = 'a fine pass phrase';

interface Amplifier {
  name: string;
  /** One hostile request after the other, by one connection. */
  attack(connection: number): Promise<unknown>;
}

const product = await startChildProduct({ RATE_LIMIT_SCALE: '1', DEMO_CONTENT: 'off' });
try {
  const { url } = product;
  const member = await HttpClient.signUp(url);
  await member.post('/api/creator/application', {});
  const bomb = gzipSync(`[${'{},'.repeat(349_000)}{}]`);
  const listing = gzipSync(Buffer.alloc(32 * 1024 * 1024, 'a,b\n'));
  const picture = await sharp({ create: { width: 6_900, height: 6_900, channels: 3, background: '#123456' } })
    .jpeg({ progressive: true, quality: 60 })
    .toBuffer();
  const unknown = JSON.stringify(
    Object.fromEntries(Array.from({ length: 4_000 }, (_, n) => [`key-${n}`, n])),
  );
  const packed = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const send = (path: string, init: RequestInit) =>
    fetch(url + path, init)
      .then((answer) => answer.arrayBuffer())
      .catch(() => undefined);
  const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const amplifiers: Amplifier[] = [
    {
      name: 'packed JSON to no route',
      attack: () => send('/api/nothing-here', { method: 'POST', body: bomb, headers: packed }),
    },
    {
      name: 'packed JSON to sign-in',
      attack: () => send('/api/auth/sign-in', { method: 'POST', body: bomb, headers: packed }),
    },
    {
      name: 'packed table of 32 MiB',
      attack: () =>
        send('/api/finance/stripe-report', {
          method: 'POST',
          body: listing,
          headers: { ...packed, 'content-type': 'text/csv', origin: url, cookie },
        }),
    },
    {
      name: 'sign-in with unknown fields',
      attack: () =>
        send('/api/auth/sign-in', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: unknown,
        }),
    },
    {
      name: 'signing in rightly',
      attack: () =>
        send('/api/auth/sign-in', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: member.email, password: PASSWORD }),
        }),
    },
    {
      name: 'avatars of 47 megapixels',
      attack: () => {
        const form = new FormData();
        form.set('image', new Blob([new Uint8Array(picture)]), 'a.jpg');
        return send('/api/me/avatar', { method: 'PUT', body: form, headers: { origin: url, cookie } });
      },
    },
    {
      name: 'new packs',
      attack: () =>
        send('/api/creator/packs', {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: url, cookie },
          body: JSON.stringify({ name: randomUUID(), genre: 'Trap', mood: 'Dark' }),
        }),
    },
    { name: 'the description as YAML', attack: () => send('/api/openapi.yaml', {}) },
    { name: 'metrics', attack: () => send('/metrics', {}) },
    { name: 'readiness', attack: () => send('/readyz', {}) },
    { name: 'posts that void pages', attack: () => send('/x', { method: 'POST' }) },
    {
      name: 'pages spelled anew',
      attack: (connection) => send(`/api/home?x=${connection}${Math.random()}`, {}),
    },
  ];

  const quiet = await honest(url, undefined);
  const title = (name: string) => name.padEnd(32);
  const ms = (value: number) => value.toFixed(1).padStart(9);
  console.log(
    `${title('')}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}${'×p50'.padStart(8)}${'×p99'.padStart(8)}`,
  );
  console.log(`${title('quiet')}${ms(quiet.p50)}${ms(quiet.p99)}`);
  for (const amplifier of amplifiers) {
    const { p50, p99 } = await honest(url, amplifier);
    const times = [p50 / quiet.p50, p99 / quiet.p99].map((ratio) => ratio.toFixed(1).padStart(8));
    console.log(`${title(amplifier.name)}${ms(p50)}${ms(p99)}${times.join('')}`);
  }
} finally {
  await product.remove();
}

/** How long honest requests take, four connections one after the other, beside an attack. */
async function honest(url: string, amplifier: Amplifier | undefined): Promise<{ p50: number; p99: number }> {
  const until = performance.now() + SECONDS * 1_000;
  const attacks = Array.from({ length: amplifier ? HOSTILE : 0 }, async (_, connection) => {
    while (performance.now() < until) await amplifier?.attack(connection);
  });
  const times: number[] = [];
  const visits = HONEST_PATHS.map(async (path) => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      await fetch(url + path).then((answer) => answer.arrayBuffer());
      times.push(performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  await Promise.all([...attacks, ...visits]);
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}
