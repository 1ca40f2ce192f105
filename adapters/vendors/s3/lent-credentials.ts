import { S3Client } from '@aws-sdk/client-s3';

type Find = S3Client['config']['credentials'];

/**
 * Finds credentials as Amazon's SDK does around a process, and leaves a lender that does not answer. The SDK waits for
 * it without a limit, and lets everybody else wait for the same answer; so the next question gets a new SDK.
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
          Object.assign(new Error('the lender of credentials does not answer'), { name: 'TimeoutError' }),
        );
      }, limitMs);
    });
    return Promise.race([find(options), late]).finally(() => clearTimeout(timer));
  };
  // The SDK keeps what it found already, and renews it before it ends.
  return Object.assign(limited, { memoized: true });
}
