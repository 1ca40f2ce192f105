import { Pencil } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { IconButton } from '../../ui/button.js';

/**
 * A text with a button that replaces it by a field. Enter and leaving the field save a changed text, unless a
 * required text is empty; Escape discards the change.
 */
export function InlineText(props: {
  label: string;
  value: string;
  maxLength: number;
  required?: boolean;
  onSave: (value: string) => void;
  children: ReactNode;
}) {
  const { label, value, maxLength, required = false, onSave, children } = props;
  const [text, setText] = useState<string | null>(null);
  const button = useRef<HTMLSpanElement>(null);
  const closed = useRef(false);
  const editing = text !== null;
  useEffect(() => {
    // The focus returns to the button, unless the visitor has moved it elsewhere.
    if (!editing && closed.current && document.activeElement === document.body)
      button.current?.querySelector('button')?.focus();
    closed.current = editing;
  }, [editing]);
  const save = () => {
    const next = text?.trim() ?? value;
    setText(null);
    if (next !== value && (next || !required)) onSave(next);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') save();
    else if (event.key === 'Escape') setText(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  if (text !== null)
    return (
      <input
        className="field max-w-160"
        aria-label={label}
        maxLength={maxLength}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- The field replaces the button that was pressed.
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
        onBlur={save}
      />
    );
  return (
    <span ref={button} className="flex items-center gap-2">
      {children}
      <IconButton label={`Edit ${label.toLowerCase()}`} onClick={() => setText(value)}>
        <Pencil size={16} />
      </IconButton>
    </span>
  );
}
