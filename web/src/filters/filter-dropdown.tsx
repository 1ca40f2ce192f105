import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, type RefObject, Suspense, useId, useLayoutEffect, useRef } from 'react';
import { Button } from '../ui/button.js';
import { usePopup } from '../ui/overlays/popup.js';

const EDGE_PX = 16;

/** Moves a panel to the left if its right edge would be outside the window. */
function moveInside(panel: HTMLElement): void {
  panel.style.left = '0px';
  const { left, right } = panel.getBoundingClientRect();
  const beyondPx = right - (document.documentElement.clientWidth - EDGE_PX);
  panel.style.left = `${-Math.max(0, Math.min(beyondPx, left - EDGE_PX))}px`;
}

function useInsideWindow(panel: RefObject<HTMLElement | null>, open: boolean): void {
  useLayoutEffect(() => {
    const element = panel.current;
    if (!open || !element) return;
    const place = () => moveInside(element);
    place();
    const changes = new ResizeObserver(place);
    changes.observe(document.body);
    window.addEventListener('resize', place);
    return () => {
      changes.disconnect();
      window.removeEventListener('resize', place);
    };
  }, [panel, open]);
}

/** A button in the filter bar that opens a filter and shows what is chosen. */
export function FilterToggle(props: {
  label: string;
  summary: string | null;
  open: boolean;
  /** The id of the element that the button opens. */
  controls: string;
  onPress: () => void;
  onPointerEnter?: () => void;
}) {
  const { label, summary, open, controls, onPress, onPointerEnter } = props;
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-controls={open ? controls : undefined}
      onClick={onPress}
      onPointerEnter={onPointerEnter}
      className={clsx(
        'filter-button inline-flex h-10 flex-none items-center gap-2.5 rounded border px-3 hover:bg-hover aria-expanded:border-text aria-expanded:shadow-[inset_0_0_0_1px_var(--text)]',
        summary === null ? 'border-line bg-surface' : 'filter-button-on border-strong bg-raised',
      )}
    >
      <span className="text-muted">{label}</span>
      <span
        className={summary === null ? 'text-faint max-[110rem]:sr-only' : 'max-w-40 truncate font-semibold'}
      >
        {summary ?? 'Any'}
      </span>
      <ChevronDown size={15} className={open ? 'rotate-180' : undefined} />
    </button>
  );
}

/**
 * A button with a panel of choices. Escape, Back, a press outside, or moving the focus outside, close the panel without
 * applying the choices.
 */
export function FilterDropdown(props: {
  label: string;
  summary: string | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onApply: () => void;
  onClear: () => void;
  /** A text left of the buttons, for example "2 of 3". */
  note: string;
  width: number;
  children: ReactNode;
}) {
  const { label, summary, open, onOpenChange, onApply, onClear, note, width, children } = props;
  const { box, leave, onKeyDown } = usePopup(open, () => onOpenChange(false));
  const panel = useRef<HTMLDivElement>(null);
  const panelId = useId();
  useInsideWindow(panel, open);
  return (
    <div
      ref={box}
      className="relative flex-none"
      onBlur={({ relatedTarget }) => {
        // A press on a text in the panel leaves no element with the focus. That must not close the panel.
        if (open && relatedTarget && !box.current?.contains(relatedTarget)) onOpenChange(false);
      }}
      onKeyDown={onKeyDown}
    >
      <FilterToggle {...{ label, summary, open }} controls={panelId} onPress={() => onOpenChange(!open)} />
      {open && (
        <div
          ref={panel}
          id={panelId}
          role="group"
          aria-label={`${label} filter`}
          className="popover fade-in absolute top-[calc(100%+8px)] left-0 z-30 px-5 py-4"
          style={{ width }}
        >
          <div className="-mx-5 max-h-[min(402px,60dvh)] overflow-y-auto px-5">
            <Suspense>{children}</Suspense>
          </div>
          <div className="flex items-center gap-2 pt-3">
            <span className="flex-1 text-sm text-muted">{note}</span>
            <Button tone="ghost" size="small" onClick={onClear}>
              Clear
            </Button>
            <Button
              tone="primary"
              size="small"
              onClick={() => {
                onApply();
                leave();
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
