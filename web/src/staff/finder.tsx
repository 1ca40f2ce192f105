import { clsx } from 'clsx';
import { Search } from 'lucide-react';
import { type ReactNode, type Ref, useId, useState } from 'react';
import { messageOf } from '../api/transport/http.js';
import { isComposing, useListKeys } from '../ui/forms/list-keys.js';
import { useDebouncedValue } from '../ui/hooks/use-debounced-value.js';

const PAUSE_MS = 200;

export interface FinderProps {
  ref?: Ref<HTMLInputElement>;
  /** The list is part of the sheet; elsewhere it lies over the page. */
  inSheet?: boolean;
  onDone?: () => void;
  className?: string;
}

/** A search field with results while the user types; it opens the chosen result. */
export function Finder<Item>(
  props: FinderProps & {
    label: string;
    /** "People found". */
    listLabel: string;
    minLength: number;
    /** The query for a text; it makes no request unless `wanted`. */
    useFound: (
      text: string,
      wanted: boolean,
    ) => { data: { items: readonly Item[] } | undefined; error: unknown; isPlaceholderData: boolean };
    keyOf: (item: Item) => string;
    /** The subject of "… matches" in the message about no results. */
    nothing: string;
    render: (item: Item) => ReactNode;
    onChoose: (item: Item) => void;
  },
) {
  const { ref, inSheet = false, onDone, className, label, listLabel, nothing, keyOf } = props;
  const listId = useId();
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const searched = useDebouncedValue(text.trim(), PAUSE_MS);
  const wanted = open && searched.length >= props.minLength && text.trim() !== '';
  const { data, error, isPlaceholderData } = props.useFound(searched, wanted);
  const found = (wanted && data?.items) || [];
  const choose = (item: Item | undefined) => {
    if (!item) return;
    setText('');
    setOpen(false);
    forget();
    onDone?.();
    props.onChoose(item);
  };
  const { at, steer, forget } = useListKeys(found.map(keyOf), {
    pick: (index) => choose(found[index]),
    close: () => setOpen(false),
  });
  const result = found.length === 0 ? `${nothing} matches “${searched}”` : `${found.length} found`;
  const says = wanted && error ? messageOf(error) : wanted && data ? result : '';
  const optionId = (index: number) => `${listId}-${index}`;
  return (
    <div role="search" className={clsx('relative', className)}>
      <Search size={17} className="absolute top-3 left-3.5 text-muted" />
      <input
        ref={ref}
        type="search"
        role="combobox"
        aria-label={label}
        aria-expanded={found.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? optionId(at) : undefined}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        placeholder={label}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setOpen(true);
          forget();
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={(event) => {
          // Enter picks the first result, unless the list still shows the results of an earlier text.
          const answers = searched === text.trim() && !isPlaceholderData;
          if (event.key === 'Enter' && at === -1 && answers && !isComposing(event)) choose(found[0]);
          else steer(event);
        }}
        className="field min-h-10.5 pr-3 pl-10.5 text-base [&::-webkit-search-cancel-button]:hidden"
      />
      <div
        className={clsx(
          inSheet
            ? 'mt-3'
            : 'popover absolute top-full right-0 z-50 mt-2 max-h-[70vh] w-90 overflow-y-auto py-1.5',
          says === '' && !inSheet && 'hidden',
        )}
      >
        <p role="status" className={found.length > 0 ? 'sr-only' : 'px-4 py-2 text-muted empty:hidden'}>
          {says}
        </p>
        <ul id={listId} role="listbox" aria-label={listLabel} hidden={found.length === 0}>
          {found.map((item, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Its keys are pressed in the field.
            <li
              key={keyOf(item)}
              role="option"
              id={optionId(index)}
              aria-selected={index === at}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(item)}
              className="flex min-h-13 cursor-pointer items-center gap-3 px-4 py-1.5 hover:bg-hover aria-selected:bg-hover"
            >
              {props.render(item)}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
