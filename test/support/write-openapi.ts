/**
 * Writes docs/openapi.json from the contracts.
 *
 *   npm run openapi
 */
import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { describeApi } from '../../adapters/platform/http/description/describe-api.js';
import { ENDPOINTS } from '../../application/all-endpoints.js';

const path = 'docs/openapi.json';
const style = { ...(await resolveConfig(path)), filepath: path };
writeFileSync(path, await format(JSON.stringify(describeApi(ENDPOINTS)), style));
