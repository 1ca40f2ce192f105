import { S3Client } from '@aws-sdk/client-s3';

type Find = S3Client['config']['credentials'];

/**
 * Finds credentials as Amazon's SDK does, with a time limit. The SDK waits without limit for a source that does not
 * answer, and all later callers wait for the same answer. After a timeout the next call therefore uses a new SDK
 * client.
 */
export function lentCredentials(region: string, limitMs: number): Find {
  const around = (): Find => new S3Client({ region }).config.credentials;
  let find = around();
  const limited: Find = async (options) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        find = around();
        reject(
          Object.assign(new Error('the source of the credentials does not answer'), { name: 'TimeoutError' }),
        );
      }, limitMs);
    });
    return Promise.race([find(options), late]).finally(() => clearTimeout(timer));
  };
  // The SDK itself caches credentials, and renews them before they expire.
  return Object.assign(limited, { memoized: true });
}
