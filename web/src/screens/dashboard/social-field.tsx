import { ExternalLink } from 'lucide-react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { LINK_MAX_LENGTH, socialLink } from '../../../../application/profiles/values.js';
import { type NETWORKS, socialAddress } from '../../creators/social-links.js';
import { Input } from '../../ui/forms/field.js';

/** A name or an address on one network, and the resulting link; the link's icon appears once there is a link. */
export function SocialField(props: {
  network: (typeof NETWORKS)[number];
  value: string;
  error: string | undefined;
  registration: UseFormRegisterReturn;
}) {
  const { network, value, error, registration } = props;
  const kept = socialLink(network.field, value);
  const href = kept ? socialAddress(network, kept) : null;
  const icon = <ExternalLink size={17} strokeWidth={1.75} aria-hidden="true" />;
  return (
    <div className="flex items-start gap-2">
      <Input
        label={network.label}
        className="min-w-0 flex-1"
        placeholder={`@name or ${network.host}/…`}
        maxLength={LINK_MAX_LENGTH}
        error={error}
        {...registration}
      />
      {href ? (
        <a
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={`Open ${network.label}`}
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
