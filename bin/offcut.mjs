#!/usr/bin/env node
/** The command line, `npx offcut …` or `npm run offcut -- …`. Installs and builds first if needed. */
import { ensure, giveUp } from './ensure.mjs';

await ensure().catch(giveUp);
await import('../dist/server/cli/cli.js');
