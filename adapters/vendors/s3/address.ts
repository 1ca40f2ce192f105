/** The server of a bucket: the one that is named, or Amazon's own in the region. */
export function serverOf({ endpoint, region }: { endpoint?: string | undefined; region: string }): URL {
  return new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
}
