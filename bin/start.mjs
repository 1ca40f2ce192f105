/** Runs Offcut: `npm start`. Settings come from the environment; README.md lists them. */
import { ensure, giveUp } from './ensure.mjs';

const parent = process.ppid;
await ensure().catch(giveUp);
// npm was killed during the build. Later on, `bootstrap/run-program.ts` checks this.
if (process.env.npm_lifecycle_event === 'start' && process.ppid !== parent) process.exit(1);
await import('../dist/server/bootstrap/main.js');
