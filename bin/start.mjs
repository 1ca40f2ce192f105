/** Runs Offcut: `npm start`. Settings come from the environment; README.md lists them. */
import { ensure, explain } from './ensure.mjs';

try {
  await ensure();
} catch (error) {
  console.error(`offcut: ${explain(error)}`);
  process.exit(1);
}
await import('../dist/server/bootstrap/main.js');
