import { S3ObjectStorage } from '../adapters/vendors/s3/s3-object-storage.js';
import type { Print, Tools } from './tools.js';

export async function allowPages({ storage, config }: Tools, print: Print): Promise<void> {
  if (!(storage instanceof S3ObjectStorage)) return print('Files are kept in a folder and served here.');
  const { origin } = new URL(config.publicUrl);
  // Creates a missing bucket, and explains what is wrong with one that cannot be reached.
  await storage.ping();
  await storage.cors.allow(origin);
  print(`Pages of ${origin} may fetch from the bucket ${config.s3?.bucket}.`);
}

/** @returns a description of browser access @throws if the bucket denies access to pages of PUBLIC_URL */
export async function examineDownloads({ storage, config }: Tools): Promise<string> {
  if (!(storage instanceof S3ObjectStorage)) return 'files are served here';
  const { origin } = new URL(config.publicUrl);
  const refused = await storage.cors.refused(origin);
  if (!refused) return `${config.s3?.origin} does not answer from here, so browser access was not checked`;
  if (refused.length > 0)
    throw new Error(
      `the bucket lets no page of ${origin} use ${refused.join(' and ')}; \`offcut storage cors\` allows it`,
    );
  return `pages of ${origin} may fetch from ${config.s3?.origin}`;
}
