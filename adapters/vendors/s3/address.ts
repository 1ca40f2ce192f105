/** Where a bucket is. */
export interface BucketPlace {
  /** The server as this process reaches it; absent: Amazon's own in the region. */
  endpoint?: string | undefined;
  /** The server as browsers reach it; absent: as this process does. */
  publicEndpoint?: string | undefined;
  region: string;
  bucket: string;
  /** Whether the bucket stands in the path instead of the name of the server; absent: on any server but Amazon's. */
  pathStyle?: boolean | undefined;
}

/** Where browsers reach a bucket: all of it is part of what is signed. */
export interface BucketAddress {
  /** With the bucket's name before the server's, unless that stands in the path. */
  origin: string;
  /** What stands before `/{key}`. */
  path: string;
  isPathStyle: boolean;
}

/** Names that can stand before a server's: a certificate for `*.example` covers no further dot. */
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
