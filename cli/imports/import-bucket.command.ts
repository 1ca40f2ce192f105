import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { BucketSource, BucketReport } from '../../application/publishing/imports/bucket-source.js';
import { ImportBucket } from '../../application/publishing/imports/import-bucket.js';
import { FolderSource } from '../../adapters/vendors/disk/folder-source.js';
import { S3ObjectStorage } from '../../adapters/vendors/s3/s3-object-storage.js';
import { openImportTools, type ImportTools } from './import-tools.js';
import { CommandRefused } from '../refused.js';
import type { Print, Tools } from '../tools.js';

export interface BucketRequest {
  /** `s3://bucket`, or a folder that contains `Users/`. */
  from: string;
  endpoint?: string;
  region?: string;
  /** `folder=handle`, for creators who have an account. */
  creators: string[];
  report?: string;
}

/** @returns the exit code @throws CommandRefused if nothing can be imported at all */
export async function runImportBucket(tools: Tools, request: BucketRequest): Promise<number> {
  const importTools = await openImportTools(tools);
  try {
    return (await importBucket(tools, importTools, request, console.log)) ? 0 : 1;
  } finally {
    await importTools.close();
  }
}

async function importBucket(
  tools: Tools,
  importTools: ImportTools,
  request: BucketRequest,
  print: Print,
): Promise<boolean> {
  const source = sourceOf(tools, request);
  const { prefixes } = await source
    .list({ prefix: '', delimiter: '/', limit: 1_000 })
    .catch((error: Error) => {
      throw new CommandRefused(`${request.from} cannot be read: ${error.message.split('\n')[0]}`);
    });
  if (!prefixes.includes('Users/')) throw new CommandRefused(`${request.from} contains no folder Users`);
  const owners = new Map<string, string>();
  for (const pair of request.creators) owners.set(...(await ownerOf(importTools, pair)));
  let packs = 0;
  const report = await new ImportBucket({ ...importTools, source }, owners, (path) => {
    packs += 1;
    console.error(`${packs} ${path}`);
  }).run();
  if (request.report) await writeFile(resolve(request.report), JSON.stringify(report, null, 2));
  for (const line of summary(report)) print(line);
  return report.problems.length === 0;
}

function sourceOf({ config, wallClock }: Tools, { from, endpoint, region }: BucketRequest): BucketSource {
  const bucket = /^s3:\/\/([^/]+)\/?$/.exec(from)?.[1];
  if (bucket === undefined) {
    if (from.startsWith('s3:')) throw new CommandRefused(`${from} is not a bucket. Write s3://name`);
    return new FolderSource(resolve(from));
  }
  const { IMPORT_S3_ACCESS_KEY_ID: id, IMPORT_S3_SECRET_ACCESS_KEY: secret } = process.env;
  const own = id && secret ? { accessKeyId: id, secretAccessKey: secret } : undefined;
  if (!own && !config.s3)
    throw new CommandRefused('set IMPORT_S3_ACCESS_KEY_ID and IMPORT_S3_SECRET_ACCESS_KEY to read a bucket');
  const place = {
    endpoint: endpoint ?? config.s3?.endpoint,
    region: region ?? config.s3?.region ?? 'us-east-1',
    bucket,
  };
  if (config.s3 && config.s3.bucket === bucket && config.s3.endpoint === place.endpoint)
    throw new CommandRefused('Offcut keeps its own files in this bucket. Choose another one');
  const credentials = own ?? config.s3?.credentials;
  return new S3ObjectStorage({ ...place, credentials, clock: wallClock, isForeign: true });
}

async function ownerOf({ profiles }: ImportTools, pair: string): Promise<[folder: string, userId: string]> {
  const at = pair.lastIndexOf('=');
  const handle = pair.slice(at + 1).replace(/^@/, '');
  const owner = at > 0 ? await profiles.findOwner(handle) : undefined;
  if (!owner) throw new CommandRefused(`--creator ${pair}: no creator has this handle; write folder=handle`);
  return [pair.slice(0, at), owner.userId];
}

function summary({ creators, packs, samples, problems, ...report }: BucketReport): string[] {
  const placeholders = creators.filter(({ placeholder }) => placeholder);
  const rows: Array<[string, string | number]> = [
    ['Creators', creators.length],
    ['Packs', `${packs.added} added, ${packs.known} already there`],
    ['Samples', `${samples.added} added, ${samples.known} already there`],
    ['Covers', report.covers],
    ['Profiles', `${report.profiles}, pictures ${report.avatars}`],
    ['Stems, MIDI', report.attachments],
    ['Problems', problems.length],
  ];
  return [
    ...rows.map(([label, value]) => `${label.padEnd(14)}${value}`),
    ...problems.map(({ path, reason }) => `  ${path} ${reason}`),
    ...(placeholders.length > 0
      ? ['Accounts to hand over, with offcut hand-over <handle> --email <address>:']
      : []),
    ...placeholders.map(
      ({ handle, folder }) => `  ${handle}${handle === folder ? '' : ` (Users/${folder})`}`,
    ),
  ];
}
