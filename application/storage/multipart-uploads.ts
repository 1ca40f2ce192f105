export interface MultipartUpload {
  key: string;
  multipartId: string;
}

export interface StoredPart {
  /** Starts at 1. */
  number: number;
  sizeBytes: number;
  etag: string;
}

/** Uploads in parts that browsers send directly to the storage. Only a bucket supports them. */
export abstract class MultipartUploads {
  /** @returns the `multipartId` @throws StorageUnavailable */
  abstract begin(key: string, options: { contentType: string }): Promise<string>;
  /** @returns the parts that arrived; undefined if the upload has ended or is unknown @throws StorageUnavailable */
  abstract parts(upload: MultipartUpload): Promise<StoredPart[] | undefined>;
  /** Returns a URL that accepts a PUT of exactly `sizeBytes` until it expires. */
  abstract presignPart(
    upload: MultipartUpload,
    part: Pick<StoredPart, 'number' | 'sizeBytes'>,
    options: { expiresInSeconds: number },
  ): Promise<string>;
  /** Combines the parts into the object. Idempotent. @throws StorageUnavailable */
  abstract complete(upload: MultipartUpload, parts: readonly StoredPart[]): Promise<void>;
  /** Removes all parts. Does nothing if the upload has ended. @throws StorageUnavailable */
  abstract abort(upload: MultipartUpload): Promise<void>;
  /** Returns at most 1,000 open uploads with this key prefix that began before `time`. */
  abstract begunBefore(time: Date, prefix: string): Promise<MultipartUpload[]>;
}
