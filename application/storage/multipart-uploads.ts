/** An upload in parts that becomes the object `key`. */
export interface MultipartUpload {
  key: string;
  /** The storage's own id. */
  multipartId: string;
}

export interface StoredPart {
  /** From 1 on. */
  number: number;
  sizeBytes: number;
  etag: string;
}

/** Uploads in parts that browsers send to the storage themselves. Only a bucket takes such. */
export abstract class MultipartUploads {
  /** @returns its id @throws StorageUnavailable */
  abstract begin(key: string, options: { contentType: string }): Promise<string>;
  /** Those that arrived, in order; undefined when the upload is completed, aborted or unknown. @throws StorageUnavailable */
  abstract parts(upload: MultipartUpload): Promise<StoredPart[] | undefined>;
  /** A URL that takes a PUT of exactly so many bytes until it expires. */
  abstract presignPart(
    upload: MultipartUpload,
    part: Pick<StoredPart, 'number' | 'sizeBytes'>,
    options: { expiresInSeconds: number },
  ): Promise<string>;
  /** Makes the object of its parts. Completing twice is no error. @throws StorageUnavailable */
  abstract complete(upload: MultipartUpload, parts: readonly StoredPart[]): Promise<void>;
  /** Removes all parts. Aborting what is over is no error. @throws StorageUnavailable */
  abstract abort(upload: MultipartUpload): Promise<void>;
  /** Uploads of keys with this prefix that were begun before and are neither completed nor aborted; at most a thousand. */
  abstract begunBefore(time: Date, prefix: string): Promise<MultipartUpload[]>;
}
