import { gzipSync } from 'node:zlib';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:net';
import { randomBytes, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { makeZip } from '../../test/support/zip.js';

/** What hostile clients know about the product. */
export interface Target {
  url: string;
  /** An account of the attacker, with one purchase and a draft pack of one sample. */
  member: { email: string; password: string; cookie: string };
  draft: { packId: string; sampleId: string };
  sampleId: string;
  certificateId: string;
}

/** One request of one connection. */
type Attack = () => Promise<unknown>;

const json = { 'content-type': 'application/json' };
const packed = { ...json, 'content-encoding': 'gzip' };

/** Created once for all connections of a process. */
let bombArchive: Promise<Buffer> | undefined;

/** A ZIP of 1 MB that unpacks to 1 GiB. */
const makeBombArchive = (): Promise<Buffer> => {
  const quarter = Buffer.alloc(256 * 1024 * 1024);
  return makeZip(Object.fromEntries([1, 2, 3, 4].map((n) => [`stem ${n}.wav`, quarter])));
};

/** Known ways to cause much work with few requests. */
export const AMPLIFIERS = [
  'packed JSON to no route',
  'packed JSON to sign-in',
  'packed table of 32 MiB',
  'sign-in with unknown fields',
  'signing in rightly',
  'signing in wrongly',
  'confirming wrongly',
  'codes of no sign-in',
  'questions for passkeys',
  'signing up',
  'forgotten passwords',
  'avatars of 47 megapixels',
  'new packs',
  'the description as YAML',
  'metrics',
  'readiness',
  'posts that void pages',
  'pages with new query strings',
  'pages with made-up cookies',
  'pages with made-up cursors',
  'searches with every filter',
  'searches for made-up words',
  'listings of the bucket',
  'certificates as PDF',
  'certificates by others',
  'archives',
  'exports of the account',
  'complaints',
  'reports',
  'edits of a pack',
  'edits of a profile',
  'stems that unpack to a gigabyte',
  'bodies that trickle',
  'thousands of slow sockets',
] as const;
export type Amplifier = (typeof AMPLIFIERS)[number];

/**
 * Returns the request that one connection repeats.
 * @param address the client address that the proxy in front names
 */
export async function attackOf(name: Amplifier, target: Target, address: string): Promise<Attack> {
  const { url, member, draft, certificateId, sampleId } = target;
  const from = { 'x-forwarded-for': address };
  const own = { ...from, origin: url, cookie: member.cookie };
  const send = (path: string, init: RequestInit = {}) =>
    fetch(url + path, { redirect: 'manual', ...init, headers: { ...from, ...init.headers } })
      .then((answer) => answer.arrayBuffer())
      .catch(() => undefined);
  const sendJson =
    (method: string) =>
    (path: string, body: unknown, headers: Record<string, string> = from) => {
      const text = JSON.stringify(body);
      return () => send(path, { method, headers: { ...headers, ...json }, body: text });
    };
  const [post, patch, put] = [sendJson('POST'), sendJson('PATCH'), sendJson('PUT')];
  const bomb = () => gzipSync(`[${'{},'.repeat(349_000)}{}]`);
  const stranger = () => `${randomUUID()}@example.com`;
  const attacks: Record<Amplifier, () => Attack | Promise<Attack>> = {
    'packed JSON to no route': () => {
      const body = bomb();
      return () => send('/api/nothing-here', { method: 'POST', body, headers: packed });
    },
    'packed JSON to sign-in': () => {
      const body = bomb();
      return () => send('/api/auth/sign-in', { method: 'POST', body, headers: packed });
    },
    'packed table of 32 MiB': () => {
      const body = gzipSync(Buffer.alloc(32 * 1024 * 1024, 'a,b\n'));
      const headers = { ...own, ...packed, 'content-type': 'text/csv' };
      return () => send('/api/finance/stripe-report', { method: 'POST', body, headers });
    },
    'sign-in with unknown fields': () =>
      post('/api/auth/sign-in', Object.fromEntries(Array.from({ length: 4_000 }, (_, n) => [`key-${n}`, n]))),
    'signing in rightly': () => post('/api/auth/sign-in', { email: member.email, password: member.password }),
    'signing in wrongly': () => () =>
      post('/api/auth/sign-in', { email: stranger(), password: 'not the one' })(),
    'confirming wrongly': () => post('/api/auth/confirm', { password: 'a guess' }, own),
    'codes of no sign-in': () =>
      post(
        '/api/auth/second-factor',
        { code: '000000' },
        { ...own, cookie: `offcut_pending=${randomUUID()}` },
      ),
    'questions for passkeys': () => post('/api/auth/passkey/options', {}),
    'signing up': () => () =>
      post('/api/auth/sign-up', { email: stranger(), password: randomBytes(12).toString('hex') })(),
    'forgotten passwords': () => () => post('/api/auth/password/forgot', { email: stranger() })(),
    'avatars of 47 megapixels': async () => {
      const create = { width: 6_900, height: 6_900, channels: 3, background: '#123456' } as const;
      const picture = await sharp({ create }).jpeg({ progressive: true, quality: 60 }).toBuffer();
      return () => {
        const body = new FormData();
        body.set('image', new Blob([new Uint8Array(picture)]), 'a.jpg');
        return send('/api/me/avatar', { method: 'PUT', body, headers: own });
      };
    },
    'new packs': () => () =>
      post('/api/creator/packs', { name: randomUUID(), genre: 'Trap', mood: 'Dark' }, own)(),
    'the description as YAML': () => () => send('/api/openapi.yaml'),
    metrics: () => () => send('/metrics'),
    readiness: () => () => send('/readyz'),
    'posts that void pages': () => () => send('/x', { method: 'POST' }),
    'pages with new query strings': () => () => send(`/api/home?x=${Math.random()}`),
    'pages with made-up cookies': () => () =>
      send('/api/home', { headers: { cookie: `offcut_session=${randomUUID()}` } }),
    'pages with made-up cursors': () => () => {
      const cursor = Buffer.from(JSON.stringify([Math.random(), 'x'])).toString('base64url');
      return send(`/api/packs?cursor=${cursor}`);
    },
    'searches with every filter': () => () => {
      const q = randomBytes(2).toString('hex').slice(0, 3);
      return send(
        `/api/samples?q=${q}&bpmMin=60&bpmMax=180&genre=Trap&genre=Lofi&mood=Dark&mood=Chill&instrument=Drums&sort=popular`,
      );
    },
    'searches for made-up words': () => () => {
      const words = Array.from({ length: 6 }, () => randomBytes(5).toString('hex'));
      return send(`/api/samples?q=${words.join('+')}`);
    },
    'listings of the bucket': () => () => send('/api/storage/list?prefix=Users&limit=1000'),
    'certificates as PDF': () => () => send(`/api/certificates/${certificateId}.pdf`, { headers: own }),
    'certificates by others': () => () => send(`/api/certificates/${certificateId}/verification`),
    archives: () => () => send(`/api/library/downloads.zip?ids=${sampleId}`, { headers: own }),
    'exports of the account': () => () => send('/api/me/export', { headers: own }),
    complaints: () => () =>
      post('/api/complaints', {
        subject: { kind: 'sample', id: sampleId },
        kind: 'copyright',
        statement: `This is a recording of mine. ${randomBytes(400).toString('hex')}`,
        work: '“Dawn”, which I recorded and published in 2019',
        name: 'Somebody',
        email: stranger(),
        inGoodFaith: true,
        isTrue: true,
      })(),
    reports: () =>
      post(
        '/api/reports',
        { kind: 'sample', id: sampleId, reason: 'copyright', detail: randomBytes(900).toString('hex') },
        own,
      ),
    'edits of a pack': () => () => patch(`/api/creator/packs/${draft.packId}`, { name: randomUUID() }, own)(),
    'edits of a profile': () => () => put('/api/creator/profile', { bio: randomUUID() }, own)(),
    'stems that unpack to a gigabyte': async () => {
      const archive = await (bombArchive ??= makeBombArchive());
      return () => {
        const body = new FormData();
        body.set('file', new Blob([new Uint8Array(archive)]), 'stems.zip');
        const path = `/api/creator/packs/${draft.packId}/samples/${draft.sampleId}/stems`;
        return send(path, { method: 'PUT', body, headers: own });
      };
    },
    'bodies that trickle': () => () => trickle(url, address),
    'thousands of slow sockets': () => () => holdSockets(url, address),
  };
  return attacks[name]();
}

/** Announces a body and sends one character of it every tenth of a second. */
function trickle(url: string, address: string): Promise<void> {
  const { hostname, port, host } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /api/auth/sign-in HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: ${address}\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n`,
    );
    const timer = setInterval(() => socket.write(' '), 100);
    socket.on('error', () => {});
    socket.resume().once('close', () => {
      clearInterval(timer);
      resolve();
    });
    setTimeout(() => socket.destroy(), 2_500);
  });
}

/**
 * Sockets of each of the sixteen connections, 3,000 in total. Opened at once they would be 3,000 normal requests
 * instead of slow ones.
 */
const SOCKETS = 188;
const OPENED_IN_MS = 2_000;
const HELD_MS = 7_000;

/** Holds many sockets: some send their headers slowly, some their body, some nothing after an answer. */
async function holdSockets(url: string, address: string): Promise<void> {
  const { hostname, port, host } = new URL(url);
  const head = `Host: ${host}\r\nX-Forwarded-For: ${address}\r\n`;
  const openings = [
    `GET /api/home HTTP/1.1\r\n${head}X-Slow: `,
    `POST /api/auth/sign-in HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 900\r\n\r\n`,
    `GET /healthz HTTP/1.1\r\n${head}\r\n`,
  ];
  await Promise.all(
    Array.from({ length: SOCKETS }, async (_, n) => {
      await pause((n * OPENED_IN_MS) / SOCKETS);
      const kind = n % openings.length;
      const socket = connect(Number(port), hostname);
      socket.write(openings[kind] ?? '');
      const timer = setInterval(() => kind < 2 && socket.write(' '), 1_000);
      const end = setTimeout(() => socket.destroy(), HELD_MS);
      return new Promise<void>((resolve) => {
        socket.on('error', () => {});
        socket.resume().once('close', () => {
          clearInterval(timer);
          clearTimeout(end);
          resolve();
        });
      });
    }),
  );
}
