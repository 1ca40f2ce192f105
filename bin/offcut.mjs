#!/usr/bin/env node
/** The command line, `npx offcut …` or `npm run offcut -- …`. Installs and builds first if needed. */
import { ensure, explain } from './ensure.mjs';

try {
  await ensure();
} catch (error) {
  console.error(`offcut: ${explain(error)}`);
  process.exit(1);
}
await import('../dist/server/cli/cli.js');
