import { GetBucketCorsCommand, PutBucketCorsCommand, type S3Client } from '@aws-sdk/client-s3';
import type { BucketAddress } from './address.js';

const METHODS = ['GET', 'PUT'];
const OUR_RULE = 'offcut';
const PATIENCE_MS = 5_000;
const KEPT_S = 3_600;

/** What pages may ask of a bucket. A browser asks the bucket itself, and else keeps its answers from them. */
export class BucketCors {
  constructor(
    private readonly client: S3Client,
    private readonly bucket: string,
    private readonly address: BucketAddress,
  ) {}

  /**
   * Asks as a browser does, for what pages send: GET, and PUT of bytes without a type.
   * @param origin of the pages
   * @returns the methods that are refused; undefined when nobody answers
   */
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

  /** Lets pages of the origin in. Rules that others made stay. */
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
