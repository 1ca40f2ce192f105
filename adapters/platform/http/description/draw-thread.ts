import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { brotliCompressSync, constants as zlib, gzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import { CONTRACTS } from '../../../../application/all-endpoints.js';
import { describeApi } from './describe-api.js';

export type Drawing = Record<'json' | 'yaml', Record<'br' | 'gzip' | 'identity', Uint8Array>>;

// Lets requests go first. Only on Linux: elsewhere this would lower the priority of the whole process.
if (process.platform === 'linux')
  setPriority(
    Math.min(getPriority() + constants.priority.PRIORITY_BELOW_NORMAL, constants.priority.PRIORITY_LOW),
  );

const packed = (text: string): Drawing['json'] => ({
  br: brotliCompressSync(text, { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: gzipSync(text),
  identity: Buffer.from(text),
});
const api = describeApi(CONTRACTS);
const drawing: Drawing = {
  json: packed(JSON.stringify(api)),
  yaml: packed(stringify(api, { aliasDuplicateObjects: false })),
};
parentPort?.postMessage(drawing);
