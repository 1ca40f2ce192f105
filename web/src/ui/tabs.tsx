import { clsx } from 'clsx';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';

export interface Tab<Id extends string> {
  id: Id;
  label: string;
  /** Shown in a sticker beside the label. Null shows a dash there while the count is unknown. */
  count?: number | null;
}

/** Returns how far the centre of the tab lies right of the centre of its list. */
function beyond(tab: Element, list: Element): number {
  const [one, all] = [tab.getBoundingClientRect(), list.getBoundingClientRect()];
  return (one.left + one.right - all.left - all.right) / 2;
}

/** Tabs with the cut accent bar; arrow keys, Home and End move between them. The panel shows the children. */
export function Tabs<Id extends string>(props: {
  tabs: readonly Tab<Id>[];
  value: Id;
  onChange: (id: Id) => void;
  label: string;
  children?: ReactNode;
}) {
  const { tabs, value, onChange, label, children } = props;
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  // On phones the selected tab may lie beyond the edge of the list.
  useEffect(() => {
    const tab = list.current?.querySelector('[aria-selected=true]');
    if (list.current && tab) list.current.scrollLeft += beyond(tab, list.current);
  }, [value]);
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === value);
    const targets: Record<string, number> = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = tabs[targets[event.key] ?? -1];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className="no-scrollbar flex gap-5 sm:gap-7 overflow-x-auto border-b border-line"
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${base}-${tab.id}-tab`}
            data-tab={tab.id}
            aria-selected={tab.id === value}
            aria-controls={children ? `${base}-panel` : undefined}
            tabIndex={tab.id === value ? 0 : -1}
            onClick={() => onChange(tab.id)}
            onKeyDown={move}
            className={clsx(
              'cut-bar flex h-12 flex-none items-center gap-2 text-md font-semibold -outline-offset-2',
              tab.id === value ? 'text-text' : 'text-muted hover:text-text',
            )}
          >
            {tab.label}
            {tab.count !== undefined && (
              <span className="sticker" data-tone={tab.id === value ? 'accent' : 'rest'}>
                {tab.count === null ? '–' : tab.count.toLocaleString('en')}
              </span>
            )}
          </button>
        ))}
      </div>
      {children && (
        <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${value}-tab`}>
          {children}
        </div>
      )}
    </div>
  );
}

export function Segmented<Value extends string>(props: {
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
  label: string;
}) {
  return (
    <div role="group" aria-label={props.label} className="flex flex-wrap border border-strong">
      {props.options.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === props.value}
          onClick={() => value !== props.value && props.onChange(value)}
          className={clsx(
            'h-8 px-3.5 text-sm font-semibold',
            value === props.value ? 'bg-text text-page' : 'text-muted hover:bg-hover hover:text-text',
          )}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
