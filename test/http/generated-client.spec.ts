import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { listenerWith, openShop, PASSWORD } from '../support/shop.js';

const ROOT = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

let product: TestProduct;
let folder: string;
beforeAll(async () => {
  product = await startTestProduct();
  folder = mkdtempSync(join(tmpdir(), 'offcut-generated-'));
});
afterAll(async () => {
  await product?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('[API-760] a client that openapi-typescript generates from /api/openapi.json compiles, and calls 30 operations', async () => {
  await openShop(product, [
    { name: 'Felt Keys', genre: 'Lofi', mood: 'Chill', sounds: [{ name: 'felt a' }, { name: 'felt b' }] },
  ]);
  const listener = await listenerWith(product, 5);
  const generator = join(ROOT, 'test/node_modules/openapi-typescript/bin/cli.js');
  const address = `${product.url}/api/openapi.json`;
  const asDocumented = [address, '--default-non-nullable', 'false', '-o', 'offcut.d.ts'];
  await run(process.execPath, [generator, ...asDocumented], { cwd: folder });
  copyFileSync(join(ROOT, 'test/support/generated-client/program.ts'), join(folder, 'program.ts'));
  symlinkSync(join(ROOT, 'test/node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const compiler = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--allowImportingTsExtensions'];
  const nodeTypes = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types'), '--skipLibCheck'];
  const checked = await run(
    process.execPath,
    [compiler, '--noEmit', ...options, ...nodeTypes, 'program.ts'],
    { cwd: folder },
  ).catch((error: { stdout: string }) => error);
  expect(checked.stdout).toBe('');

  const { stdout } = await run(process.execPath, ['program.ts', product.url, listener.email, PASSWORD], {
    cwd: folder,
  });
  const { userId, called, code } = JSON.parse(stdout) as { userId: string; called: string[]; code: string };
  expect(userId).toBe(listener.userId);
  expect(called.length).toBeGreaterThanOrEqual(30);
  expect(code).toBe('InvalidCursor');
});
