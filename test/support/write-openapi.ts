/**
 * Writes docs/openapi.json from the contracts, with one line for each operation and component.
 *
 *   npm run openapi
 */
import { writeFileSync } from 'node:fs';
import { describeApi } from '../../adapters/platform/http/description/describe-api.js';
import { CONTRACTS } from '../../application/all-endpoints.js';

/** How many levels of `paths` and `components` have lines of their own. */
const LEVELS = 3;

function lines(value: unknown, level: number): string {
  if (level === 0 || value === null || typeof value !== 'object' || Array.isArray(value))
    return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, entry]) => `${JSON.stringify(key)}:${lines(entry, level - 1)}`,
  );
  return `{\n${entries.join(',\n')}\n}`;
}

writeFileSync('docs/openapi.json', `${lines(describeApi(CONTRACTS), LEVELS)}\n`);
