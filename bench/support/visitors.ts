/**
 * Requests one address repeatedly over open connections, in a separate process:
 *
 *   node --import ./test/support/typescript.mjs bench/support/visitors.ts <address> <connections> <milliseconds>
 *
 * Fails unless every answer is 200. Prints `{done, latenciesMs}`.
 */
import { connect, type Socket } from 'node:net';

const [address = '', connections = '16', durationMs = '2000'] = process.argv.slice(2);
const url = new URL(address);
const question = `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`;
const latenciesMs: number[] = [];
const until = performance.now() + Number(durationMs);
await Promise.all(Array.from({ length: Number(connections) }, askUntilTheEnd));
console.log(JSON.stringify({ done: latenciesMs.length, latenciesMs }));

function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname, () => resolve(socket));
    socket.setNoDelay(true);
    socket.once('error', reject);
  });
}

/** Returns the total bytes of an answer whose headers are in `begin`. Throws unless its status is 200. */
function lengthOf(begin: Buffer): number {
  const end = begin.indexOf('\r\n\r\n');
  const head = begin.toString('latin1', 0, end);
  if (end < 0 || !head.startsWith('HTTP/1.1 200')) throw new Error(head.slice(0, 200));
  return end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
}

async function askUntilTheEnd(): Promise<void> {
  const socket = await open();
  await new Promise<void>((resolve, reject) => {
    let received = 0;
    let length = 0;
    let askedAt = 0;
    const ask = (): void => {
      if (performance.now() >= until) {
        socket.destroy();
        return resolve();
      }
      askedAt = performance.now();
      socket.write(question);
    };
    socket.on('data', (chunk: Buffer) => {
      if (received === 0) length = lengthOf(chunk);
      received += chunk.length;
      if (received > length) return reject(new Error(`${received} bytes instead of ${length}`));
      if (received < length) return;
      received = 0;
      latenciesMs.push(performance.now() - askedAt);
      ask();
    });
    socket.on('close', () => resolve());
    ask();
  });
}
