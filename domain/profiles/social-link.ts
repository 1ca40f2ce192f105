export const NETWORKS = ['twitter', 'instagram', 'tiktok', 'youtube'] as const;
export type Network = (typeof NETWORKS)[number];

const RULES: Record<Network, { hosts: readonly string[]; handle: RegExp }> = {
  twitter: { hosts: ['twitter.com', 'x.com'], handle: /^\w{1,15}$/ },
  instagram: { hosts: ['instagram.com'], handle: /^[\w.]{1,30}$/ },
  tiktok: { hosts: ['tiktok.com'], handle: /^[\w.]{2,24}$/ },
  youtube: { hosts: ['youtube.com', 'youtu.be'], handle: /^[\p{L}\p{N}_.·-]{3,30}$/u },
};

/** Returns an account name or an https address on the network; empty for blank text, undefined for invalid text. */
export function socialLink(network: Network, text: string): string | undefined {
  const typed = text.trim();
  if (typed === '') return '';
  const { hosts, handle } = RULES[network];
  const isAddress = typed.includes('/') || hosts.some((host) => typed.toLowerCase().endsWith(host));
  if (!isAddress) {
    const name = typed.replace(/^@+/, '');
    return handle.test(name) ? name : undefined;
  }
  const address = typed.replace(/^(http:\/\/|\/\/)/i, 'https://');
  return addressOn(hosts, /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`);
}

/** Returns the link if it is an https address on the network's hosts, without a port or user. */
function addressOn(hosts: readonly string[], address: string): string | undefined {
  const parts = /^https:\/\/([a-z0-9.-]+)(\/[^\s"'<>\\]*)?$/i.exec(address);
  const host = parts?.[1]?.toLowerCase();
  if (host === undefined || !hosts.some((known) => host === known || host.endsWith(`.${known}`)))
    return undefined;
  return `https://${host}${parts?.[2] ?? ''}`;
}
