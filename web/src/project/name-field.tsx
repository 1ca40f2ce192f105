import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { PROJECT_NAME_MAX_LENGTH } from '../../../application/library/values.js';

/** The name of a project or a workbench as a heading that can be typed into. */
export function NameField(props: {
  label: string;
  name: string;
  size?: string;
  onChange: (name: string) => void;
}) {
  const { label, name, size = 'text-2xl', onChange } = props;
  const [text, setText] = useState<string | null>(null);
  const apply = () => {
    const next = text?.trim();
    if (next && next !== name) onChange(next);
    setText(null);
  };
  return (
    <label className="group flex min-w-0 flex-1 items-center gap-2">
      <span className="sr-only">{label}</span>
      <input
        className={`display field-sizing-content min-h-11 max-w-full min-w-20 truncate bg-transparent ${size}`}
        maxLength={PROJECT_NAME_MAX_LENGTH}
        value={text ?? name}
        onChange={({ target }) => setText(target.value)}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
      />
      <Pencil size={15} className="flex-none text-muted" aria-hidden="true" />
    </label>
  );
}
