/**
 * Lets Node run the project's TypeScript without a build, for tests that need a process of their own:
 *
 *   node --import ./test/support/typescript.mjs some/program.ts
 */
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
