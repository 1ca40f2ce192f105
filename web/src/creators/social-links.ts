/** Social networks that a profile can link to. An account's URL is `https://`, `profile` and the account's name. */
export const NETWORKS = [
  { field: 'instagram', label: 'Instagram', host: 'instagram.com', profile: 'www.instagram.com/' },
  { field: 'twitter', label: 'Twitter', host: 'twitter.com', profile: 'twitter.com/' },
  { field: 'tiktok', label: 'TikTok', host: 'tiktok.com', profile: 'www.tiktok.com/@' },
  { field: 'youtube', label: 'YouTube', host: 'youtube.com', profile: 'www.youtube.com/@' },
] as const;

/**
 * Returns a web address unchanged, and the address of an account from its name, with or without @. Null if the text is
 * empty, or begins with "http" and is no web address.
 */
export function socialAddress(network: (typeof NETWORKS)[number], value: string): string | null {
  const text = value.trim();
  if (text === '') return null;
  if (text.startsWith('http')) {
    // Checks the protocol, because "httpx:" begins with "http" too.
    return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : null;
  }
  return `https://${network.profile}${encodeURIComponent(text.replace(/^@+/, ''))}`;
}
