/** The networks of a profile, and how an account name becomes an address there. */
export const NETWORKS = [
  {
    field: 'instagram',
    label: 'Instagram',
    host: 'instagram.com',
    address: (name: string) => `https://www.instagram.com/${name}`,
  },
  {
    field: 'twitter',
    label: 'Twitter',
    host: 'twitter.com',
    address: (name: string) => `https://twitter.com/${name}`,
  },
  {
    field: 'tiktok',
    label: 'TikTok',
    host: 'tiktok.com',
    address: (name: string) => `https://www.tiktok.com/@${name}`,
  },
  {
    field: 'youtube',
    label: 'YouTube',
    host: 'youtube.com',
    address: (name: string) => `https://www.youtube.com/@${name}`,
  },
] as const;

/** Keeps a full address; turns a name into a profile link, leading @ removed. Null if it is neither. */
export function socialAddress(network: (typeof NETWORKS)[number], value: string): string | null {
  const text = value.trim();
  if (text === '') return null;
  if (text.startsWith('http')) {
    // Only web addresses: "http" also begins "httpx:" and the like.
    return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : null;
  }
  return network.address(encodeURIComponent(text.replace(/^@+/, '')));
}
