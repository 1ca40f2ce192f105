/** The networks of a profile; an account's address is `profile` and its name. */
export const NETWORKS = [
  { field: 'instagram', label: 'Instagram', host: 'instagram.com', profile: 'www.instagram.com/' },
  { field: 'twitter', label: 'Twitter', host: 'twitter.com', profile: 'twitter.com/' },
  { field: 'tiktok', label: 'TikTok', host: 'tiktok.com', profile: 'www.tiktok.com/@' },
  { field: 'youtube', label: 'YouTube', host: 'youtube.com', profile: 'www.youtube.com/@' },
] as const;

/** Returns a full address unchanged, and turns a name into a profile link without leading @. Null if it is neither. */
export function socialAddress(network: (typeof NETWORKS)[number], value: string): string | null {
  const text = value.trim();
  if (text === '') return null;
  if (text.startsWith('http')) {
    // Only web addresses: "httpx:" also begins with "http".
    return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : null;
  }
  return `https://${network.profile}${encodeURIComponent(text.replace(/^@+/, ''))}`;
}
