import { ORIGIN_LABELS, ORIGINS, type Origin } from '../../../../application/catalogue/values.js';
import { Select } from '../../ui/forms/field.js';

/** Asks how sounds were made. @param isAsked whether to show an error while the choice is empty */
export function OriginSelect(props: {
  label: string;
  hint?: string;
  value: Origin | '';
  isAsked: boolean;
  onChange: (origin: Origin | '') => void;
}) {
  const { label, hint, value, isAsked, onChange } = props;
  return (
    <Select
      label={label}
      value={value}
      hint={hint}
      error={isAsked && value === '' ? 'Choose an origin' : undefined}
      onChange={({ target }) => onChange(target.value as Origin | '')}
    >
      <option value="">Choose…</option>
      {ORIGINS.map((each) => (
        <option key={each} value={each}>
          {ORIGIN_LABELS[each]}
        </option>
      ))}
    </Select>
  );
}
