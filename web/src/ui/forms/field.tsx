import { clsx } from 'clsx';
import { ChevronDown, CircleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';

interface FieldText {
  label: string;
  error?: string;
  hint?: ReactNode;
  hideLabel?: boolean;
}

interface FieldProps extends FieldText {
  className?: string;
  children: (control: {
    id: string;
    'aria-invalid': true | undefined;
    'aria-describedby': string | undefined;
  }) => ReactNode;
}

/** A control with its label, its hint and its problem. */
export function Field({ label, error, hint, hideLabel, className, children }: FieldProps) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className={className}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'mb-2 block font-semibold'}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': describedBy || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-faint">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="mt-1.5 flex items-center gap-1.5 text-sm text-danger">
          <CircleAlert size={14} />
          {error}
        </p>
      )}
    </div>
  );
}

/** A one-line input with its label. Accepts the props that `field` of `useBodyForm` returns. */
export function Input(props: ComponentProps<'input'> & FieldText) {
  const { label, error, hint, hideLabel, className, ...rest } = props;
  return (
    <Field {...{ label, error, hint, hideLabel, className }}>
      {(control) => <input {...rest} {...control} className="field" />}
    </Field>
  );
}

export function Textarea(props: ComponentProps<'textarea'> & FieldText) {
  const { label, error, hint, hideLabel, className, ...rest } = props;
  return (
    <Field {...{ label, error, hint, hideLabel, className }}>
      {(control) => <textarea rows={4} {...rest} {...control} className="field" />}
    </Field>
  );
}

type SelectProps = ComponentProps<'select'> & {
  /** The options that follow the `children`. */
  options?: readonly (readonly [value: string | number, label: string])[];
};

/** A native select with our chevron, without a label. */
export function SelectControl({ className, options = [], children, ...rest }: SelectProps) {
  return (
    <span className="relative block">
      <select {...rest} className={clsx('field', className)}>
        {children}
        {options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown
        size={16}
        className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-muted"
      />
    </span>
  );
}

export function Select(props: SelectProps & FieldText) {
  const { label, error, hint, hideLabel, className, ...rest } = props;
  return (
    <Field {...{ label, error, hint, hideLabel, className }}>
      {(control) => <SelectControl {...rest} {...control} />}
    </Field>
  );
}

export function Checkbox({ label, className, ...rest }: ComponentProps<'input'> & { label: ReactNode }) {
  return (
    <label className={clsx('flex min-h-8 items-center gap-3', rest.disabled && 'text-faint', className)}>
      <input {...rest} type="checkbox" className="checkbox size-5 flex-none" />
      <span>{label}</span>
    </label>
  );
}
