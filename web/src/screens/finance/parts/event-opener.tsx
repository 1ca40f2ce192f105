import { type ReactNode, useState } from 'react';

/** Which of the events in a table is open, and the button that opens and closes one by its type. */
export function useOpenEvent(): {
  /** Its position in the log. */
  open: number | undefined;
  opener: (event: { type: string; position: number }) => ReactNode;
} {
  const [open, setOpen] = useState<number>();
  const opener = ({ type, position }: { type: string; position: number }) => (
    <button
      type="button"
      className="underlined"
      aria-expanded={open === position}
      onClick={() => setOpen(open === position ? undefined : position)}
    >
      {type}
    </button>
  );
  return { open, opener };
}
