import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { IconButton } from '../button.js';

function moved<Item>(items: readonly Item[], from: number, step: 1 | -1): Item[] {
  const next = [...items];
  next.splice(from + step, 0, ...next.splice(from, 1));
  return next;
}

export function OrderedPicks<Item extends { id: string }>(props: {
  label: string;
  items: readonly Item[];
  nameOf: (item: Item) => string;
  onChange: (items: Item[]) => void;
  children: (item: Item) => ReactNode;
}) {
  const { label, items, nameOf, onChange, children } = props;
  const [said, setSaid] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const removedAt = useRef<number>(undefined);
  // The pressed remove button is gone with its entry. The focus moves to the remove button of the next entry, else of
  // the last entry, else to the list.
  useLayoutEffect(() => {
    if (removedAt.current === undefined) return;
    const rest = list.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [];
    (rest[Math.min(removedAt.current, rest.length - 1)] ?? list.current)?.focus();
    removedAt.current = undefined;
  }, [items]);
  const move = (from: number, step: 1 | -1) => {
    const next = moved(items, from, step);
    setSaid(`${nameOf(next[from + step] as Item)} is at ${from + step + 1} of ${next.length}.`);
    onChange(next);
  };
  const remove = (item: Item, at: number) => {
    removedAt.current = at;
    setSaid(`${nameOf(item)} is not featured any more.`);
    onChange(items.filter(({ id }) => id !== item.id));
  };
  return (
    <>
      <ol ref={list} tabIndex={-1} aria-label={label} className="border-t border-line empty:border-0">
        {items.map((item, index) => (
          <li key={item.id} className="flex min-h-14 items-center gap-1 border-b border-line py-1 pl-1">
            {children(item)}
            <IconButton
              label={`Move ${nameOf(item)} up`}
              disabled={index === 0}
              onClick={() => move(index, -1)}
            >
              <ArrowUp size={16} />
            </IconButton>
            <IconButton
              label={`Move ${nameOf(item)} down`}
              disabled={index === items.length - 1}
              onClick={() => move(index, 1)}
            >
              <ArrowDown size={16} />
            </IconButton>
            <IconButton
              data-remove
              label={`Stop featuring ${nameOf(item)}`}
              onClick={() => remove(item, index)}
            >
              <X size={16} />
            </IconButton>
          </li>
        ))}
      </ol>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  );
}
