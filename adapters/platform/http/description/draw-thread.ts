import { parentPort } from 'node:worker_threads';
import { stringify } from 'yaml';
import { ENDPOINTS } from '../../../../application/all-endpoints.js';
import { describeApi } from './describe-api.js';

/** The description, as it is answered. */
export type Drawing = Record<'json' | 'yaml', string>;

const api = describeApi(ENDPOINTS);
const drawing: Drawing = {
  json: JSON.stringify(api),
  yaml: stringify(api, { aliasDuplicateObjects: false }),
};
parentPort?.postMessage(drawing);
