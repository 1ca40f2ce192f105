export interface BucketPlace {
  /** The server's URL for this process; absent: Amazon's in the region. */
  endpoint?: string | undefined;
  /** The server's URL for browsers; absent: the same as `endpoint`. */
  publicEndpoint?: string | undefined;
  region: string;
  bucket: string;
  /** Whether the bucket name is in the path instead of the host name; absent: on every server except Amazon's. */
  pathStyle?: boolean | undefined;
}

/** Address of a bucket for browsers. All parts of it are signed. */
export interface BucketAddress {
  /** Includes the bucket name, unless that is in the path. */
  origin: string;
  /** The path before `/{key}`. */
  path: string;
  isPathStyle: boolean;
}

/** Bucket names that fit before a host name. They have no dot, because a certificate for `*.example` covers none. */
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
