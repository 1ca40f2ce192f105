/**
 * Asks one address again and again over connections that stay open, in a process of its own:
 *
 *   node --import ./test/support/typescript.mjs bench/support/visitors.ts <address> <connections> <milliseconds>
 *
 * Every answer has to be as long as the first. Prints `{done, latenciesMs}`.
 */
import { connect, type Socket } from 'node:net';

const [address = '', connections = '16', durationMs = '2000'] = process.argv.slice(2);
const url = new URL(address);
const question = `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`;
const latenciesMs: number[] = [];
const until = performance.now() + Number(durationMs);
const length = await lengthOfAnswer();
await Promise.all(Array.from({ length: Number(connections) }, askUntilTheEnd));
console.log(JSON.stringify({ done: latenciesMs.length, latenciesMs }));

function open(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname, () => resolve(socket));
    socket.setNoDelay(true);
    socket.once('error', reject);
  });
}

/** @returns bytes of head and body */
async function lengthOfAnswer(): Promise<number> {
  const socket = await open();
  // The first is made, the second is what is measured.
  let answer = '';
  for (let turn = 0; turn < 2; turn++) {
    answer = '';
    socket.write(question);
    for (;;) {
      answer += await new Promise<string>((resolve) => {
        socket.once('data', (chunk) => resolve(chunk.toString('latin1')));
      });
      const head = answer.indexOf('\r\n\r\n');
      const body = Number(/content-length: (\d+)/i.exec(answer)?.[1]);
      if (head >= 0 && answer.length >= head + 4 + body) break;
    }
  }
  socket.destroy();
  if (!answer.startsWith('HTTP/1.1 200')) throw new Error(answer.slice(0, 200));
  return answer.length;
}

async function askUntilTheEnd(): Promise<void> {
  const socket = await open();
  await new Promise<void>((resolve, reject) => {
    let received = 0;
    let askedAt = 0;
    const ask = (): void => {
      if (performance.now() >= until) {
        socket.destroy();
        return resolve();
      }
      askedAt = performance.now();
      socket.write(question);
    };
    socket.on('data', (chunk) => {
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
