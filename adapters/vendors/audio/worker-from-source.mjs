/** Entry of a worker when sources run uncompiled, as in tests: transforms each TypeScript file on import. */
import { register } from 'node:module';
import { workerData } from 'node:worker_threads';

const hooks = `
  import { readFile } from 'node:fs/promises';
  import { fileURLToPath } from 'node:url';
  import { transform } from ${JSON.stringify(import.meta.resolve('@swc/core'))};

  export async function resolve(specifier, context, next) {
    if (!specifier.startsWith('.') || !context.parentURL?.endsWith('.ts')) return next(specifier, context);
    return next(specifier.replace(/\\.js$/, '.ts'), context);
  }

  export async function load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context);
    const { code } = await transform(await readFile(fileURLToPath(url), 'utf8'), {
      swcrc: false,
      filename: fileURLToPath(url),
      module: { type: 'es6' },
      sourceMaps: 'inline',
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    });
    return { format: 'module', source: code, shortCircuit: true };
  }
`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
await import(workerData?.source ?? './worker.ts');
