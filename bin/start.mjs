/** Runs Offcut: `npm start`. Settings come from the environment; README.md lists them. */
import { ensure, giveUp } from './ensure.mjs';

await ensure().catch(giveUp);
await import('../dist/server/bootstrap/main.js');
