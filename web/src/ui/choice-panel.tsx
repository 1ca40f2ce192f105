import { Section } from './section.js';

/** A panel with one choice, which is saved at once. */
export function ChoicePanel(props: {
  title: string;
  text: string;
  label: string;
  isChosen: boolean;
  isSaving: boolean;
  choose: (isChosen: boolean) => void;
}) {
  const { title, text, label, isChosen, isSaving, choose } = props;
  return (
    <Section title={title} heading="text-md font-semibold" className="panel p-5">
      <p className="mt-1 text-muted">{text}</p>
      <label className="mt-4 flex min-h-11 items-center gap-2.5">
        <input
          type="checkbox"
          className="checkbox size-5 flex-none"
          checked={isChosen}
          disabled={isSaving}
          onChange={({ target }) => choose(target.checked)}
        />
        {label}
      </label>
    </Section>
  );
}
