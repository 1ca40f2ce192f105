import { clsx } from 'clsx';
import { X } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

const TONES = {
  neutral: 'bg-badge text-text',
  ok: 'bg-ok-wash text-ok',
  warn: 'bg-warn-wash text-warn',
  danger: 'bg-danger-wash text-danger',
  info: 'bg-info-wash text-info',
  accent: 'bg-accent text-on-accent',
} as const;

export function Badge({ tone = 'neutral', children }: { tone?: keyof typeof TONES; children: ReactNode }) {
  return <span className={clsx('badge', TONES[tone])}>{children}</span>;
}

export function Tag({ className, children }: { className?: string; children: ReactNode }) {
  return <span className={clsx('tag', className)}>{children}</span>;
}

/** A price label with a cut corner. An `owned` label is only outlined. */
export function Sticker(props: {
  children: ReactNode;
  tone?: 'rest' | 'accent' | 'ink' | 'owned';
  /** The tooltip, and the text for assistive technology, for example "2 credits". */
  label?: string;
}) {
  const { children, tone = 'rest', label } = props;
  return (
    <span className="sticker" data-tone={tone} title={label}>
      <span aria-hidden={label ? true : undefined}>{children}</span>
      {label && <span className="sr-only">{label}</span>}
    </span>
  );
}

export function Chip({ pressed, className, ...rest }: ComponentProps<'button'> & { pressed?: boolean }) {
  return <button type="button" {...rest} aria-pressed={pressed} className={clsx('chip', className)} />;
}

export function RemovableChip({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      className="chip max-md:min-h-9.5 max-md:border-strong max-md:bg-raised max-md:font-semibold max-md:text-text"
      onClick={onRemove}
      aria-label={`Remove filter ${label}`}
    >
      {label}
      <X size={14} />
    </button>
  );
}
