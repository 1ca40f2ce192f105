import { useState } from 'react';
import { Input } from '../ui/forms/field.js';
import { Segmented } from '../ui/tabs.js';
import { isTimeSignature } from './project.js';

const USUAL = ['4/4', '3/4', '6/8'] as const;
const OPTIONS = [
  ...USUAL.map((value) => ({ value, label: value })),
  { value: 'other', label: 'Other' },
] as const;

const isUsual = (value: string): value is (typeof USUAL)[number] => USUAL.some((each) => each === value);

export function SignatureField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState<string | null>(null);
  const isOther = text !== null || !isUsual(value);
  const wrong = text !== null && text !== '' && !isTimeSignature(text);
  const apply = () => {
    if (isTimeSignature(text)) onChange(text);
    if (!wrong) setText(null);
  };
  return (
    <div>
      <p className="mb-2 font-semibold">Signature</p>
      <Segmented
        label="Time signature"
        options={OPTIONS}
        value={isOther || !isUsual(value) ? 'other' : value}
        onChange={(next) => {
          setText(next === 'other' ? value : null);
          if (next !== 'other') onChange(next);
        }}
      />
      {isOther && (
        <Input
          className="mt-2"
          label="Other time signature"
          hideLabel
          placeholder="7/8"
          value={text ?? value}
          error={wrong ? 'Write it like 7/8' : undefined}
          onChange={({ target }) => setText(target.value.trim())}
          onBlur={apply}
          onKeyDown={(event) => event.key === 'Enter' && apply()}
        />
      )}
    </div>
  );
}
