export interface BucketPlace {
  /** The URL at which this process reaches the server. Default: Amazon's URL for the region. */
  endpoint?: string | undefined;
  /** The URL at which browsers reach the server. Default: `endpoint`. */
  publicEndpoint?: string | undefined;
  region: string;
  bucket: string;
  /** Whether the bucket name is in the path instead of the host name. Default: true for servers other than Amazon's. */
  pathStyle?: boolean | undefined;
}

/** The address of a bucket for browsers. Signed URLs contain and sign all parts of it. */
export interface BucketAddress {
  /** Scheme and host. The host contains the bucket name, unless `isPathStyle`. */
  origin: string;
  /** The path before `/{key}`. */
  path: string;
  isPathStyle: boolean;
}

/** Bucket names that may be a part of the host name. Without dots, because a wildcard certificate covers no dot. */
const CAN_LEAD = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

export function bucketAddress(place: BucketPlace): BucketAddress {
  const { endpoint, region, bucket } = place;
  const named = place.publicEndpoint ?? endpoint;
  const { protocol, host } = new URL(named ?? amazonIn(region));
  const isPathStyle = (place.pathStyle ?? named !== undefined) || !CAN_LEAD.test(bucket);
  return isPathStyle
    ? { origin: `${protocol}//${host}`, path: `/${bucket}`, isPathStyle }
    : { origin: `${protocol}//${bucket}.${host}`, path: '', isPathStyle };
}

const amazonIn = (region: string): string =>
  `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
