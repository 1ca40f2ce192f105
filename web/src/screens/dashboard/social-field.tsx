import { ExternalLink } from 'lucide-react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { type Network, socialLink } from '../../../../application/profiles/contract.js';
import { Input } from '../../ui/field.js';

const PROFILES: Record<Network, { label: string; address: string }> = {
  twitter: { label: 'Twitter', address: 'https://twitter.com/' },
  instagram: { label: 'Instagram', address: 'https://www.instagram.com/' },
  tiktok: { label: 'TikTok', address: 'https://www.tiktok.com/@' },
  youtube: { label: 'YouTube', address: 'https://www.youtube.com/@' },
};

/** A name or an address on one network, and the link it becomes; the link's icon waits for something to link to. */
export function SocialField(props: {
  network: Network;
  value: string;
  error: string | undefined;
  registration: UseFormRegisterReturn;
}) {
  const { network, value, error, registration } = props;
  const { label, address } = PROFILES[network];
  const kept = socialLink(network, value);
  const href = kept && (kept.startsWith('https://') ? kept : address + kept);
  const icon = <ExternalLink size={17} strokeWidth={1.75} aria-hidden="true" />;
  return (
    <div className="flex items-start gap-2">
      <Input
        label={label}
        className="min-w-0 flex-1"
        placeholder="@name or address"
        maxLength={200}
        error={error}
        {...registration}
      />
      {href ? (
        <a
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={`Open ${label}`}
          className="icon-btn icon-btn-outlined mt-7 size-11!"
        >
          {icon}
        </a>
      ) : (
        <span className="icon-btn mt-7 size-11! opacity-40" aria-hidden="true">
          {icon}
        </span>
      )}
    </div>
  );
}
