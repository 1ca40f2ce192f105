/** Entry of a worker when sources run uncompiled, as in tests: transforms each TypeScript file on import. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { workerData } from 'node:worker_threads';
import { transformSync } from '@swc/core';

registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('.') || !context.parentURL?.endsWith('.ts')) return next(specifier, context);
    return next(specifier.replace(/\.js$/, '.ts'), context);
  },
  load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context);
    const filename = fileURLToPath(url);
    const { code } = transformSync(readFileSync(filename, 'utf8'), {
      swcrc: false,
      filename,
      module: { type: 'es6' },
      sourceMaps: 'inline',
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    });
    return { format: 'module', source: code, shortCircuit: true };
  },
});

await import(workerData?.source ?? './worker.ts');
