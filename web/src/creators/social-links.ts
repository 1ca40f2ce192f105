/** The networks of a profile; `address` turns an account name into an address. */
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

/** Returns a full address unchanged, and turns a name into a profile link without leading @. Null if it is neither. */
export function socialAddress(network: (typeof NETWORKS)[number], value: string): string | null {
  const text = value.trim();
  if (text === '') return null;
  if (text.startsWith('http')) {
    // Only web addresses: "httpx:" also begins with "http".
    return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : null;
  }
  return network.address(encodeURIComponent(text.replace(/^@+/, '')));
}
