import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Person } from '../../../application/accounts/contract.js';
import { PEOPLE_SEARCH_MIN_LENGTH } from '../../../application/accounts/values.js';
import { peopleQuery } from '../api/admin.js';
import { messageOf } from '../api/transport/http.js';
import { Avatar } from '../ui/avatar.js';
import { Button } from '../ui/button.js';
import { Input } from '../ui/forms/field.js';
import { useDebouncedValue } from '../ui/hooks/use-debounced-value.js';

/** The navigation state with which the header's search opens a page about the person that was found. */
export interface AboutPerson {
  person?: Person;
}

export function PersonCard({ person }: { person: Person }) {
  const { displayName, email, handle } = person;
  return (
    <>
      <Avatar name={displayName} size={32} />
      <span className="min-w-0 flex-1 text-left">
        <span className="block truncate font-semibold">{displayName}</span>
        <span className="block truncate text-sm text-muted">
          {email}
          {handle && ` · ${handle}`}
        </span>
      </span>
    </>
  );
}

const PAUSE_MS = 200;

function Found({ text, onChoose }: { text: string; onChoose: (person: Person) => void }) {
  const { data, error } = useQuery(peopleQuery(text));
  if (error) return <p className="mt-2 text-sm text-danger">{messageOf(error)}</p>;
  if (!data) return null;
  return (
    <>
      <p role="status" className={data.items.length === 0 ? 'mt-2 text-sm text-muted' : 'sr-only'}>
        {data.items.length === 0 ? `No person matches “${text}”` : `${data.items.length} found`}
      </p>
      <ul aria-label="People found" className="mt-2 border-b border-line empty:border-0">
        {data.items.map((person) => (
          <li key={person.id}>
            <button
              type="button"
              onClick={() => onChoose(person)}
              className="flex min-h-13 w-full items-center gap-3 border-t border-line px-2 py-1.5 hover:bg-hover"
            >
              <PersonCard person={person} />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The chosen person. A person found by the header's search replaces the choice. */
export function useChosenPerson() {
  const { state, key } = useLocation();
  const { person: found } = (state ?? {}) as AboutPerson;
  const [person, choose] = useState(found);
  const [at, setAt] = useState(key);
  if (at !== key) {
    setAt(key);
    if (found) choose(found);
  }
  return [person, choose] as const;
}

/** A field that finds a person by e-mail address, name, handle or id, and then shows the chosen person. */
export function PersonPicker(props: {
  value: Person | undefined;
  onChange: (person: Person | undefined) => void;
  error?: string | undefined;
}) {
  const { value, onChange, error } = props;
  const [text, setText] = useState('');
  const searched = useDebouncedValue(text.trim(), PAUSE_MS);
  const picker = useRef<HTMLDivElement>(null);
  const takesFocus = useRef(false);
  // The control that was pressed disappears, so the control that replaces it takes the focus at once.
  useLayoutEffect(() => {
    if (takesFocus.current) picker.current?.querySelector<HTMLElement>('input, button')?.focus();
    takesFocus.current = false;
  }, [value]);
  const choose = (person: Person | undefined) => {
    takesFocus.current = true;
    onChange(person);
  };
  if (value) {
    return (
      <div ref={picker}>
        <p className="mb-2 font-semibold">Person</p>
        <div className="flex min-h-13 items-center gap-3 border border-strong bg-inset px-2 py-1.5">
          <PersonCard person={value} />
          <Button
            size="small"
            onClick={() => {
              setText('');
              choose(undefined);
            }}
          >
            Change
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div ref={picker}>
      <Input
        label="Person"
        hint="E-mail address, name, handle or id"
        error={error}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          // The search runs while the user types. Enter must not send the form around this field.
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      {searched.length >= PEOPLE_SEARCH_MIN_LENGTH && <Found text={searched} onChoose={choose} />}
    </div>
  );
}
