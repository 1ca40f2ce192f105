import { clsx } from 'clsx';
import { type ComponentProps, type FocusEvent, type MouseEvent, type ReactNode, useState } from 'react';
import { Link, type LinkProps } from 'react-router-dom';

export type ButtonTone = 'primary' | 'secondary' | 'quiet' | 'ghost' | 'danger' | 'owned' | 'invert';
export type ButtonSize = 'small' | 'medium' | 'large';

interface Look {
  tone?: ButtonTone;
  size?: ButtonSize;
}

export const buttonClass = ({ tone = 'secondary', size = 'medium' }: Look, more?: string): string =>
  clsx('btn', `btn-${tone}`, size !== 'medium' && `btn-${size}`, more);

type Press = MouseEvent<HTMLButtonElement>;
type Focus = FocusEvent<HTMLButtonElement>;

/** Blocks a button but keeps its focus, which browsers drop from a `disabled` button. */
function useDisabling(props: ComponentProps<'button'>, busy: boolean) {
  const { disabled = false, onClick, onFocus, onBlur } = props;
  const [isFocused, setFocused] = useState(false);
  const isOff = disabled || busy;
  return {
    disabled: disabled && !busy && !isFocused,
    'aria-disabled': isOff || props['aria-disabled'] || undefined,
    'aria-busy': busy || undefined,
    // A blocked button also keeps Enter from sending its form.
    onClick: (event: Press) => (isOff ? event.preventDefault() : onClick?.(event)),
    onFocus: (event: Focus) => {
      setFocused(true);
      onFocus?.(event);
    },
    onBlur: (event: Focus) => {
      setFocused(false);
      onBlur?.(event);
    },
  };
}

/** A push button. While `busy` it cannot be pressed, keeps its label and focus, and shows a spinner. */
export function Button(props: ComponentProps<'button'> & Look & { busy?: boolean; icon?: ReactNode }) {
  const { tone, size, busy = false, icon, className, children, ...rest } = props;
  return (
    <button
      type="button"
      {...rest}
      {...useDisabling(rest, busy)}
      className={buttonClass({ tone, size }, className)}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : icon}
      {children}
    </button>
  );
}

export function ButtonLink(props: LinkProps & Look & { icon?: ReactNode }) {
  const { tone, size, icon, className, children, ...rest } = props;
  return (
    <Link {...rest} className={buttonClass({ tone, size }, className)}>
      {icon}
      {children}
    </Link>
  );
}

/** A square button with an icon only. `label` is its tooltip; `label` and `about` together are its accessible name. */
export function IconButton(
  props: Omit<ComponentProps<'button'>, 'about'> & {
    label: string;
    about?: string;
    outlined?: boolean;
    busy?: boolean;
  },
) {
  const { label, about, outlined = false, busy = false, className, ...rest } = props;
  return (
    <button
      type="button"
      title={label}
      {...rest}
      {...useDisabling(rest, busy)}
      aria-label={about === undefined ? label : `${label}: ${about}`}
      className={clsx('icon-btn', outlined && 'icon-btn-outlined', className)}
    />
  );
}
