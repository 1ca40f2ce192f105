import { type ReactNode, useState } from 'react';

/** The open event of a table, and the buttons that open and close events by type. */
export function useOpenEvent(): {
  /** The position of the open event in the log. */
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
