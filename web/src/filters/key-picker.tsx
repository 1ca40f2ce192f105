import { useState } from 'react';
import { KEYS } from '../../../application/catalogue/values.js';
import { Chip } from '../ui/badge.js';
import { Segmented } from '../ui/tabs.js';
import { enharmonicNote, type FilterKey } from './filters.js';

const WHITE = ['C', 'D', 'E', 'F', 'G', 'A', 'B'] as const;
/** Both spellings of each black key, and the number of the white key to its left, from 1. */
const BLACK = [
  { notes: ['C#', 'Db'], after: 1 },
  { notes: ['D#', 'Eb'], after: 2 },
  { notes: ['F#', 'Gb'], after: 4 },
  { notes: ['G#', 'Ab'], after: 5 },
  { notes: ['A#', 'Bb'], after: 6 },
] as const;
type Mode = 'Major' | 'Minor';
const MODES = (['Major', 'Minor'] as const).map((mode) => ({ value: mode, label: mode }));

/** A piano to pick a musical key. Each black key has one button per spelling. A second press clears the choice. */
export function KeyPicker(props: { value: FilterKey | null; onChange: (key: FilterKey | null) => void }) {
  const { value, onChange } = props;
  const anyOf = MODES.find((mode) => mode.value === value);
  const [note = null, chosenMode] = (!anyOf && value?.split(' ')) || [];
  const [freeMode, setFreeMode] = useState<Mode>('Minor');
  const mode = anyOf?.value ?? MODES.find((each) => each.value === chosenMode)?.value ?? freeMode;
  const keyNamed = (name: string) => KEYS.find((each) => each === name) ?? null;
  const enharmonic = value ? enharmonicNote(value) : null;
  const setMode = (next: Mode) => {
    setFreeMode(next);
    if (anyOf) onChange(next);
    else if (note) onChange(keyNamed(`${note} ${next}`));
  };
  const key = (name: string) => (
    <button
      key={name}
      type="button"
      aria-pressed={name === note}
      aria-label={`${name} ${mode}`}
      data-enharmonic={name === enharmonic ? '' : undefined}
      onClick={() => onChange(name === note ? null : keyNamed(`${name} ${mode}`))}
      className="piano-key"
    >
      {name}
    </button>
  );
  return (
    <div>
      <div className="mb-4 flex items-center justify-between">
        <h3 className="text-md font-semibold">Key</h3>
        <Segmented label="Mode" options={MODES} value={mode} onChange={setMode} />
      </div>
      <div className="piano relative mb-2 grid h-37.5 grid-cols-7 border border-strong">
        {WHITE.map(key)}
        {BLACK.map(({ notes, after }) => (
          <span
            key={after}
            className="piano-black absolute top-0 -ml-5.75 grid h-23.5 w-11.5 grid-rows-2 border border-t-0 border-line"
            style={{ left: `${(after * 100) / 7}%` }}
          >
            {notes.map(key)}
          </span>
        ))}
      </div>
      <Chip pressed={anyOf !== undefined} onClick={() => onChange(anyOf ? null : mode)}>
        Any {mode.toLowerCase()} key
      </Chip>
    </div>
  );
}
