/** Deletes binaries for other systems after an installation: `node-web-audio-api` contains seven, of 6 MB each. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../node_modules/node-web-audio-api');
const own = `.${process.platform}-${process.arch}`;
for (const file of existsSync(folder) ? readdirSync(folder) : [])
  if (file.endsWith('.node') && !file.includes(own)) rmSync(join(folder, file));
