/**
 * Deletes what no start needs after an installation: binaries of `node-web-audio-api` for other systems, seven of 6 MB
 * each, and the headers and the npm that came with the package `node`, 68 MB.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const packages = join(import.meta.dirname, '../node_modules');
const audio = join(packages, 'node-web-audio-api');
const own = `.${process.platform}-${process.arch}`;
for (const file of existsSync(audio) ? readdirSync(audio) : [])
  if (file.endsWith('.node') && !file.includes(own)) rmSync(join(audio, file));
// The folder `bin` has a hard link to the program in the removed folder.
if (existsSync(join(packages, 'node/bin')))
  rmSync(join(packages, 'node/node_modules'), { recursive: true, force: true });
