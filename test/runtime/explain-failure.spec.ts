import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../bootstrap/config.js';
import { explainFailure } from '../../bootstrap/explain-failure.js';
import { PaymentGatewayUnavailable } from '../../application/payments/payment-gateway.js';
import { StorageUnavailable } from '../../application/storage/object-storage.js';
import { DatabaseFolderError } from '../../adapters/platform/database/embedded/data-folder.js';

const systemError = (code: string, more: object = {}): Error =>
  Object.assign(new Error(`${code}: as the system says it`), { code, ...more });

async function failureOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing failed');
}

let open: Server[] = [];
afterEach(() => {
  for (const server of open) server.close();
  open = [];
});

function listen(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    open.push(server);
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
}

describe('what people read when Offcut cannot start', () => {
  it('names the busy port and the way to another one', async () => {
    const port = await listen(0);
    const error = await failureOf(() => listen(port));
    expect(explainFailure(error)).toBe(
      `Port ${port} is used by another program: stop that, or choose another one with PORT=${port + 1}.`,
    );
  });

  it('names the file where a folder was expected', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'offcut-explain-'));
    writeFileSync(join(folder, 'file'), '');
    const error = await failureOf(() => writeFileSync(join(folder, 'file/below'), ''));
    rmSync(folder, { recursive: true });
    expect(explainFailure(error)).toMatch(/file\/below is not a folder: choose one with DATA_DIR/);
  });

  it.each([
    ['ENOSPC', { path: '/data/x' }, /^The disk that holds \/data\/x is full/],
    ['ENOSPC', {}, /^The disk is full: free some space/],
    ['EACCES', { path: '/data', syscall: 'mkdir' }, /^No permission for \/data: .*DATA_DIR/],
    ['EACCES', { port: 80, syscall: 'listen' }, /^Port 80 needs special rights/],
    ['EROFS', { path: '/data', syscall: 'open' }, /read-only disk: .*DATA_DIR/],
    ['28P01', {}, /refuses this user and password: check DATABASE_URL/],
    ['53100', {}, /disk of the database is full/],
    ['ENOENT', { path: '/none.csv' }, /^\/none.csv does not exist\.$/],
  ])('explains %s %j in one line', (code, more, sentence) => {
    const explained = explainFailure(systemError(code, more));
    expect(explained).toMatch(sentence);
    expect(explained).not.toContain('\n');
  });

  it('names the database that was too slow', () => {
    expect(explainFailure(new Error('timeout exceeded when trying to connect'))).toBe(
      'The database did not answer: timeout exceeded when trying to connect. Try again; on a slow machine, raise DATABASE_CONNECT_TIMEOUT_MS.',
    );
  });

  it('finds the cause below other errors', () => {
    const refused = new AggregateError([systemError('ECONNREFUSED')]);
    expect(explainFailure(new Error('no pool', { cause: refused }))).toMatch(/refuses connections/);
  });

  it('names Stripe or the object storage as what does not answer', () => {
    const away = new PaymentGatewayUnavailable('Stripe: StripeConnectionError');
    expect(explainFailure(new AggregateError([away]))).toMatch(/^Stripe does not answer\. .*STRIPE_API_BASE/);
    expect(explainFailure(new StorageUnavailable('timeout'))).toBe(
      'The object storage is unavailable: timeout.',
    );
  });

  it('passes on what the configuration and the database folder say', async () => {
    const wrong = await failureOf(() => readConfig({ PORT: 'eighty' }));
    expect(explainFailure(wrong)).toMatch(/^Configuration: PORT/);
    expect(explainFailure(new DatabaseFolderError('It runs already.'))).toBe('It runs already.');
  });

  it('leaves what nobody foresaw to its stack', () => {
    expect(explainFailure(new TypeError('x is not a function'))).toBeUndefined();
    expect(explainFailure('a string')).toBeUndefined();
  });
});
