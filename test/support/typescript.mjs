/**
 * Lets Node run the project's TypeScript without a build, for tests and for programs of their own:
 *
 *   node --import ./test/support/typescript.mjs some/program.ts
 */
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const OPTIONS = {
  swcrc: false,
  module: { type: 'es6' },
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    experimental: { keepImportAttributes: true },
  },
};

/**
 * @param url of a TypeScript file
 * @param sourceMaps `inline`: debuggers read them there
 * @returns its JavaScript as `code`, and its source map as `map` if it is not part of the code
 */
export function transform(url, sourceMaps = 'inline') {
  const filename = fileURLToPath(url);
  return transformSync(readFileSync(filename, 'utf8'), { ...OPTIONS, sourceMaps, filename });
}

export const isTypeScript = (url) => /^file:.*\.ts(\?|$)/.test(url);

registerHooks({
  /** Sources import `./name.js`, the name after the build; here it means `./name.ts`. */
  resolve(specifier, context, next) {
    if (/^\.{1,2}\/.*\.js$/.test(specifier) && context.parentURL) {
      const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
      if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
    }
    return next(specifier, context);
  },
  load(url, context, next) {
    if (!isTypeScript(url)) return next(url, context);
    return { format: 'module', source: transform(url).code, shortCircuit: true };
  },
});
