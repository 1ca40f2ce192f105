/**
 * A Jest runtime that loads the product once per worker. Jest itself would load every module again for each
 * test file, and run it cold.
 * Here Node loads the modules. The product and its packages are loaded once. The test file and its imports
 * from test/ are loaded again for each file, because they keep state of the file.
 */
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import Runtime from 'jest-runtime';
import { isTypeScript, transform } from './typescript.mjs';

const GLOBALS = fileURLToPath(new URL('jest-globals.mjs', import.meta.url));
const OF_A_FILE = [new URL('../', import.meta.url).href, new URL('../../bench/', import.meta.url).href];
const JEST = 'jest:globals';
/** `expect.any(String)` compares with the constructors of the context in which Jest's own modules run. */
const COMPARED = {
  Array,
  BigInt,
  Boolean,
  Date,
  Error,
  Function,
  Map,
  Number,
  Object,
  Promise,
  RegExp,
  Set,
  String,
  Symbol,
};

let files = 0;
/** The exports of `@jest/globals` for the file that runs now. */
let globals;

registerHooks({
  resolve(specifier, context, next) {
    const file = context.parentURL?.match(/\?file=\d+$/)?.[0];
    if (!file) return next(specifier, context);
    if (specifier === '@jest/globals') return { url: JEST + file, format: 'module', shortCircuit: true };
    const found = next(specifier, context);
    return OF_A_FILE.some((folder) => found.url.startsWith(folder))
      ? { ...found, url: found.url + file }
      : found;
  },
  load(url, context, next) {
    if (!url.startsWith(JEST)) return next(url, context);
    const source = `export const { ${Object.keys(globals).join(', ')} } = globalThis[Symbol.for('${JEST}')];`;
    return { format: 'module', source, shortCircuit: true };
  },
});

/** Source maps of the files in the stack of an error. Jest reads them from files. */
class SourceMaps extends Map {
  get(url) {
    if (!this.has(url)) this.set(url, isTypeScript(url) ? write(transform(url, true).map) : undefined);
    return super.get(url);
  }
}

function write(map) {
  const path = join(tmpdir(), `${randomUUID()}.map`);
  writeFileSync(path, map);
  return path;
}

const sourceMaps = new SourceMaps();

export const __esModule = true;

export default class SharedWorld extends Runtime {
  #environment;
  #before;

  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    this.#environment = environment;
    this.#before = { console, env: { ...process.env } };
    Object.assign(environment.global, COMPARED);
  }

  /** @param path of the test file; Jest imports nothing else through this method */
  async unstable_importModule(path) {
    files += 1;
    const { namespace } = await super.unstable_importModule(GLOBALS);
    globals = { ...namespace };
    const { afterAll, afterEach } = globals;
    Object.assign(globalThis, {
      console: this.#environment.global.console,
      afterAll,
      afterEach,
      [Symbol.for(JEST)]: globals,
    });
    return import(`${pathToFileURL(path)}?file=${files}`);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  teardown() {
    super.teardown();
    Object.assign(globalThis, { console: this.#before.console });
    for (const name of Object.keys(process.env)) if (!(name in this.#before.env)) delete process.env[name];
    Object.assign(process.env, this.#before.env);
  }
}
