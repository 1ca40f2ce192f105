/**
 * Writes docs/openapi.json from the contracts.
 *
 *   npm run openapi
 */
import { writeFileSync } from 'node:fs';
import { describeApi } from '../../adapters/platform/http/description/describe-api.js';
import { ENDPOINTS } from '../../application/all-endpoints.js';

writeFileSync('docs/openapi.json', JSON.stringify(describeApi(ENDPOINTS)));
