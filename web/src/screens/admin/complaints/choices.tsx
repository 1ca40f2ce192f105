/** The decisions to choose from, each with its consequence. */
export function Choices<Decision extends string>(props: {
  name: string;
  of: readonly Decision[];
  chosen: Decision;
  onChoose: (decision: Decision) => void;
  wordsOf: (decision: Decision) => { label: string; hint: string };
}) {
  const { name, of, chosen, onChoose, wordsOf } = props;
  return (
    <div role="radiogroup" aria-label="Decision" className="grid gap-2 fit-200">
      {of.map((each) => (
        <label
          key={each}
          className="grid items-start gap-x-2.5 border border-line px-3.5 py-3 split-20 data-chosen:border-accent data-chosen:bg-hover"
          data-chosen={each === chosen || undefined}
        >
          <input
            type="radio"
            name={name}
            value={each}
            className="row-span-2 mt-0.75 size-4 accent-accent"
            checked={each === chosen}
            onChange={() => onChoose(each)}
          />
          <b>{wordsOf(each).label}</b>
          <span className="text-sm text-muted">{wordsOf(each).hint}</span>
        </label>
      ))}
    </div>
  );
}
