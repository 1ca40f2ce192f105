import 'reflect-metadata';
import { fileURLToPath } from 'node:url';
import { readConfig } from './config.js';
import { seedDemo } from '../demo/seed/seed.js';
import { CLOSING_MS, startProduct } from './product.js';
import { runProgram } from './run-program.js';

const WEB_FOLDER = fileURLToPath(new URL('../../web', import.meta.url));

let stopLimitMs = CLOSING_MS;

await runProgram(
  async (aborted) => {
    const config = readConfig(process.env);
    stopLimitMs = config.serving.shutdownDelayMs + config.serving.shutdownLimitMs + CLOSING_MS;
    const product = await startProduct(config, { webFolder: WEB_FOLDER });
    if (config.demoContent) await seedDemo(product, { onProgress: showProgress, signal: aborted });
    if (!aborted.aborted)
      console.log(greeting(product.url, config.demoContent, product.resources.stripeSimulator?.url));
    return () => product.stop();
  },
  () => stopLimitMs,
);

function showProgress(line: string): void {
  console.log(`  ${line}`);
}

function greeting(url: string, demo: boolean, simulator: string | undefined): string {
  const lines = ['', `Offcut runs at ${url}`];
  if (simulator) lines.push(`Stripe simulator at ${simulator}, mails at ${url}/dev/mailbox`);
  if (demo) {
    lines.push(
      'Sign in as listener@offcut.demo, creator@offcut.demo, finance@offcut.demo,',
      'admin@offcut.demo or admin2@offcut.demo, the second person for large adjustments,',
    );
    lines.push('with the password offcut-demo-2026');
  }
  return [...lines, 'Ctrl-C stops it.', ''].join('\n');
}
