import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from '../ui/button.js';

export interface FilterDropdownProps {
  label: string;
  /** What is applied now, for the button; null shows "Any". */
  summary: string | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onApply: () => void;
  onClear: () => void;
  /** Left of the buttons, for example "2 of 3". */
  note?: string;
  width: number;
  children: ReactNode;
}

/** A button with a panel of staged choices. Escape and a press outside close it without applying. */
export function FilterDropdown(props: FilterDropdownProps) {
  const { label, summary, open, onOpenChange, onApply, onClear, note, width, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const panelId = useId();
  useEffect(() => {
    if (!open) return;
    const press = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) onOpenChange(false);
    };
    document.addEventListener('pointerdown', press);
    return () => document.removeEventListener('pointerdown', press);
  }, [open, onOpenChange]);
  const close = () => {
    onOpenChange(false);
    trigger.current?.focus();
  };
  return (
    <div
      ref={box}
      className="relative flex-none"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.stopPropagation();
        close();
      }}
    >
      <button
        ref={trigger}
        type="button"
        aria-expanded={open}
        aria-controls={open ? panelId : undefined}
        onClick={() => onOpenChange(!open)}
        className={clsx('filter-button', summary !== null && 'filter-button-on')}
      >
        <span className="text-muted">{label}</span>
        <span className={summary === null ? 'text-faint' : 'max-w-40 truncate font-semibold'}>
          {summary ?? 'Any'}
        </span>
        <ChevronDown
          size={15}
          strokeWidth={1.75}
          aria-hidden="true"
          className={open ? 'rotate-180' : undefined}
        />
      </button>
      {open && (
        <div
          id={panelId}
          role="group"
          aria-label={`${label} filter`}
          className="popover filter-panel fade-in"
          style={{ width }}
        >
          <div className="filter-panel-body">{children}</div>
          <div className="flex items-center gap-2 pt-3">
            <span className="flex-1 text-[13px] text-muted">{note}</span>
            <Button tone="ghost" size="small" onClick={onClear}>
              Clear
            </Button>
            <Button
              tone="primary"
              size="small"
              onClick={() => {
                onApply();
                close();
              }}
            >
              Apply
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}
