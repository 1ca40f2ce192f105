import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
} from '@aws-sdk/client-s3';
import type { WallClock } from '../../../application/shared/clock.js';
import {
  MultipartUploads,
  type MultipartUpload,
  type StoredPart,
} from '../../../application/storage/multipart-uploads.js';
import { assertObjectKey } from '../../../application/storage/object-storage.js';
import type { BucketConnection } from './bucket-connection.js';
import { statusOf } from './bucket.js';
import type { S3Presigner } from './presigner.js';

/** Multipart uploads to a bucket. Lists parts without paging: one answer has all parts of the largest upload. */
export class S3MultipartUploads implements MultipartUploads {
  constructor(
    private readonly bucket: BucketConnection,
    private readonly presigner: S3Presigner,
    private readonly clock: WallClock,
  ) {}

  async begin(key: string, { contentType }: { contentType: string }): Promise<string> {
    assertObjectKey(key);
    await this.bucket.prepare();
    const command = new CreateMultipartUploadCommand({ ...this.bucket.at(key), ContentType: contentType });
    const { UploadId } = await this.bucket.call(key, (client, options) => client.send(command, options));
    return UploadId as string;
  }

  async parts(upload: MultipartUpload): Promise<StoredPart[] | undefined> {
    const command = new ListPartsCommand(this.named(upload));
    const answer = await this.bucket.call(upload.key, (client, options) =>
      client.send(command, options).catch(unlessUnknown),
    );
    return (
      answer &&
      (answer.Parts ?? []).map(({ PartNumber, Size, ETag }) => ({
        number: PartNumber as number,
        sizeBytes: Size as number,
        etag: ETag as string,
      }))
    );
  }

  async presignPart(
    { key, multipartId }: MultipartUpload,
    { number, sizeBytes }: Pick<StoredPart, 'number' | 'sizeBytes'>,
    { expiresInSeconds }: { expiresInSeconds: number },
  ): Promise<string> {
    assertObjectKey(key);
    return this.presigner.sign(key, await this.bucket.credentials(), {
      method: 'PUT',
      now: this.clock.now(),
      expiresInSeconds,
      query: { partNumber: String(number), uploadId: multipartId },
      // Signs the size of the part: browsers send this header themselves, and pages cannot change it.
      headers: { 'content-length': String(sizeBytes) },
    });
  }

  async complete(upload: MultipartUpload, parts: readonly StoredPart[]): Promise<void> {
    const command = new CompleteMultipartUploadCommand({
      ...this.named(upload),
      MultipartUpload: { Parts: parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag })) },
    });
    const head = new HeadObjectCommand(this.bucket.at(upload.key));
    await this.bucket.mapped(upload.key, () =>
      // No time limit, because the server assembles the parts before it answers.
      this.bucket.client.send(command).catch((error: unknown) =>
        // The upload counts as completed if the object exists: another request may have completed the upload.
        this.bucket
          .call(upload.key, (client, options) => client.send(head, options))
          .catch(() => {
            throw error;
          }),
      ),
    );
  }

  async abort(upload: MultipartUpload): Promise<void> {
    const command = new AbortMultipartUploadCommand(this.named(upload));
    await this.bucket.call(upload.key, (client, options) =>
      client.send(command, options).catch(unlessUnknown),
    );
  }

  async begunBefore(time: Date, prefix: string): Promise<MultipartUpload[]> {
    await this.bucket.prepare();
    const command = new ListMultipartUploadsCommand({ Bucket: this.bucket.name, Prefix: prefix });
    const { Uploads = [] } = await this.bucket.call(prefix, (client, options) =>
      client.send(command, options),
    );
    return Uploads.filter(({ Initiated }) => Initiated && Initiated < time).map(({ Key, UploadId }) => ({
      key: Key as string,
      multipartId: UploadId as string,
    }));
  }

  private named({ key, multipartId }: MultipartUpload) {
    return { ...this.bucket.at(key), UploadId: multipartId };
  }
}

/** Ignores an unknown upload. Servers use different names for this error, so only the status decides. */
function unlessUnknown(error: Error): undefined {
  if (statusOf(error) !== 404 || error.name === 'NoSuchBucket') throw error;
}
