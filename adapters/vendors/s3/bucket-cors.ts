import { GetBucketCorsCommand, PutBucketCorsCommand, type S3Client } from '@aws-sdk/client-s3';
import type { BucketAddress } from './address.js';

const METHODS = ['GET', 'PUT'];
const OUR_RULE = 'offcut';
const PATIENCE_MS = 5_000;
const KEPT_S = 3_600;

/** Reads and writes the CORS rules of a bucket. Without a rule, browsers hide the bucket's answers from pages. */
export class BucketCors {
  constructor(
    private readonly client: S3Client,
    private readonly bucket: string,
    private readonly address: BucketAddress,
  ) {}

  /** Sends preflight requests like a browser. @returns the refused methods; undefined if the bucket does not answer */
  async refused(origin: string): Promise<string[] | undefined> {
    const refused: string[] = [];
    for (const method of METHODS) {
      const answer = await fetch(`${this.address.origin}${this.address.path}/probes/preflight`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': method,
        },
        signal: AbortSignal.timeout(PATIENCE_MS),
      }).catch(() => undefined);
      if (!answer) return undefined;
      await answer.body?.cancel();
      const allowed = answer.headers.get('access-control-allow-origin') ?? '';
      if (!answer.ok || !['*', origin].includes(allowed)) refused.push(method);
    }
    return refused;
  }

  /** Adds a rule that allows pages of the origin. Keeps the rules of other applications. */
  async allow(origin: string): Promise<void> {
    const found = await this.client
      .send(new GetBucketCorsCommand({ Bucket: this.bucket }), patience())
      .catch((error: Error) => {
        if (error.name !== 'NoSuchCORSConfiguration') throw error;
        return { CORSRules: [] };
      });
    const others = (found.CORSRules ?? []).filter(({ ID }) => ID !== OUR_RULE);
    const rule = {
      ID: OUR_RULE,
      AllowedOrigins: [origin],
      AllowedMethods: ['HEAD', ...METHODS],
      MaxAgeSeconds: KEPT_S,
    };
    const command = new PutBucketCorsCommand({
      Bucket: this.bucket,
      CORSConfiguration: { CORSRules: [...others, rule] },
    });
    await this.client.send(command, patience());
  }
}

const patience = () => ({ abortSignal: AbortSignal.timeout(PATIENCE_MS) });
