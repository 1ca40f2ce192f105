import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router-dom';

export type ButtonTone = 'primary' | 'secondary' | 'quiet' | 'ghost' | 'danger' | 'owned' | 'invert';
export type ButtonSize = 'small' | 'medium' | 'large';

interface Look {
  tone?: ButtonTone;
  size?: ButtonSize;
}

/** The classes of a button, for elements that only look like one. */
export function buttonClass({ tone = 'secondary', size = 'medium' }: Look, more?: string): string {
  return clsx('btn', `btn-${tone}`, size !== 'medium' && `btn-${size}`, more);
}

/** A push button. While `busy` it is disabled, keeps its label and shows a spinner before it. */
export function Button({
  tone,
  size,
  busy = false,
  icon,
  className,
  children,
  disabled,
  ...rest
}: ComponentProps<'button'> & Look & { busy?: boolean; icon?: ReactNode }) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ tone, size }, className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : icon}
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  tone,
  size,
  icon,
  className,
  children,
  ...rest
}: LinkProps & Look & { icon?: ReactNode }) {
  return (
    <Link {...rest} className={buttonClass({ tone, size }, className)}>
      {icon}
      {children}
    </Link>
  );
}

/** A square button with an icon only; `label` is its name and its tooltip. */
export function IconButton({
  label,
  outlined = false,
  className,
  ...rest
}: ComponentProps<'button'> & { label: string; outlined?: boolean }) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={clsx('icon-btn', outlined && 'icon-btn-outlined', className)}
    />
  );
}
