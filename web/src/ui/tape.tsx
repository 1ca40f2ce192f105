interface TapePart {
  label: string;
  amount: number;
  colour: string;
  hatched?: boolean;
}

/** Quantities as parts of a tape, its end cut at 45 degrees; assistive technology gets their names and amounts. */
export function Tape({ parts }: { parts: readonly TapePart[] }) {
  const shown = parts.filter((part) => part.amount > 0);
  return (
    <div
      role="img"
      aria-label={shown.map((part) => `${part.label}: ${part.amount.toLocaleString('en')}`).join(', ')}
      className="flex h-3 gap-1 cut-end-20"
    >
      {shown.map((part) => (
        <span
          key={part.label}
          title={part.label}
          className={part.hatched ? 'tape-part hatched' : 'tape-part'}
          style={{
            flexGrow: part.amount,
            color: part.colour,
            background: part.hatched ? undefined : part.colour,
          }}
        />
      ))}
    </div>
  );
}
