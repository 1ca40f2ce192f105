/** Social networks that a profile can link to. The URL of an account is `profile` followed by the account's name. */
export const NETWORKS = [
  { field: 'instagram', label: 'Instagram', host: 'instagram.com', profile: 'www.instagram.com/' },
  { field: 'twitter', label: 'Twitter', host: 'twitter.com', profile: 'twitter.com/' },
  { field: 'tiktok', label: 'TikTok', host: 'tiktok.com', profile: 'www.tiktok.com/@' },
  { field: 'youtube', label: 'YouTube', host: 'youtube.com', profile: 'www.youtube.com/@' },
] as const;

/** Returns a full URL unchanged, and an account's name, with or without @, as a link. Null for any other text. */
export function socialAddress(network: (typeof NETWORKS)[number], value: string): string | null {
  const text = value.trim();
  if (text === '') return null;
  if (text.startsWith('http')) {
    // Only web addresses: "httpx:" also begins with "http".
    return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : null;
  }
  return `https://${network.profile}${encodeURIComponent(text.replace(/^@+/, ''))}`;
}
