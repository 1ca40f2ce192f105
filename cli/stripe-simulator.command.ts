import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startStripeSimulator } from '../simulators/stripe/server.js';
import { runProgram } from '../bootstrap/run-program.js';

/** @param options.dataDir the folder for the state of the simulator and the secret that signs webhooks */
export async function runSimulator({
  port,
  dataDir,
  webhookUrl,
}: {
  port: number;
  dataDir: string;
  webhookUrl: string;
}): Promise<void> {
  await runProgram(async () => {
    mkdirSync(dataDir, { recursive: true });
    const webhookSecret = secretIn(join(dataDir, 'webhook-secret'));
    const stateFile = join(dataDir, 'state.json');
    const simulator = await startStripeSimulator({ port, stateFile, webhookUrl, webhookSecret });
    console.log(
      [
        '',
        `Stripe simulator runs at ${simulator.url}`,
        `Webhooks go to ${webhookUrl}`,
        '',
        'Start every process of Offcut with these settings:',
        '',
        `STRIPE_API_BASE=${simulator.url}`,
        'STRIPE_SECRET_KEY=sk_test_simulator',
        `STRIPE_WEBHOOK_SECRET=${webhookSecret}`,
        '',
        'Ctrl-C stops it.',
        '',
      ].join('\n'),
    );
    return () => simulator.close();
  });
}

/** Returns the secret of earlier runs, so that servers that were started with it keep working. */
function secretIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secret = `whsec_${randomBytes(24).toString('base64url')}`;
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}
