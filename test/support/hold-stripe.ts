/** Runs a Stripe simulator on the given state file and prints its address. It runs until it is killed. */
import { startStripeSimulator } from '../../simulators/stripe/server.js';

const [stateFile, webhookSecret] = process.argv.slice(2) as [string, string];
const simulator = await startStripeSimulator({ stateFile, webhookSecret });
process.stdout.write(`${simulator.url}\n`);
process.once('disconnect', () => process.exit(0));
setInterval(() => {}, 60_000);
