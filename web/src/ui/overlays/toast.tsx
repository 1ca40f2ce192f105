import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../api/transport/http.js';
import { held } from '../../held.js';
import { IconButton } from '../button.js';

interface ToastContent {
  title: string;
  description?: string;
  /** `danger` is announced at once, and stays until the visitor closes it. */
  tone?: 'ok' | 'info' | 'danger';
  action?: { label: string; onPress: () => void };
}
interface ToastEntry extends ToastContent {
  /** Increases with every toast, so that equal texts are announced again. */
  turn: number;
  open: boolean;
}

export const TOAST_REMOVAL_MS = 1_000_000;
const TOAST_SHOWN_MS = 6_000;

const entry = held<ToastEntry | null>(null);
let removal: ReturnType<typeof setTimeout> | undefined;

/** Shows a toast instead of the current one; at most one is visible. */
export function toast(content: ToastContent): void {
  clearTimeout(removal);
  entry.set({ ...content, turn: (entry.get()?.turn ?? 0) + 1, open: true });
}

/** Makes a function that reports a failure under a title, in the server's words if it gave any. */
export const notifyOf =
  (title: string) =>
  (error: unknown): void =>
    toast({ title, description: messageOf(error), tone: 'danger' });

export const notifyError = notifyOf('Error');

/** Hides the toast, and forgets it after `TOAST_REMOVAL_MS`. */
export function dismissToast(): void {
  const shown = entry.get();
  if (!shown?.open) return;
  entry.set({ ...shown, open: false });
  removal = setTimeout(() => entry.set(null), TOAST_REMOVAL_MS);
}

export const useToast = entry.use;

const EDGE = { ok: 'border-l-ok', info: 'border-l-info', danger: 'border-l-danger' } as const;
const INK = { ok: 'text-ok', info: 'text-info', danger: 'text-danger' } as const;
const ICON = { ok: CircleCheck, info: Info, danger: CircleAlert } as const;

function returnFocus(before: Element | null): void {
  const to = before?.isConnected ? before : document.getElementById('content');
  if (to instanceof HTMLElement) to.focus({ preventScroll: true });
}

/** Lets the page end above the toast, and scrolls the focused element out from under the toast. */
function keepFree(strip: HTMLElement): void {
  const root = document.documentElement;
  const { top, bottom, height } = strip.getBoundingClientRect();
  root.style.setProperty('--news', `${height}px`);
  root.style.scrollPaddingBottom = height ? `${innerHeight - top + 8}px` : '';
  const pressed = document.querySelector('#content :focus');
  const at = pressed?.getBoundingClientRect();
  if (at && at.top < bottom && at.bottom > top) pressed?.scrollIntoView({ block: 'nearest' });
}

/** @param children content above the toast, such as the progress of a download */
export function ToastRegion({ children }: { children?: ReactNode }) {
  const shown = useToast();
  const [held, setHeld] = useState(false);
  const tone = shown?.tone ?? 'ok';
  const region = useRef<HTMLDivElement>(null);
  const cameFrom = useRef<Element | null>(null);
  const { turn, open } = shown ?? { turn: 0, open: false };

  // Checks again after each change whether the toast must stay, because an element that disappears while it has the
  // focus or the pointer fires neither blur nor leave.
  useEffect(() => {
    const box = region.current;
    setHeld(box !== null && (box.contains(document.activeElement) || box.matches(':hover')));
  }, [turn, open]);
  useEffect(() => {
    const strip = region.current as HTMLElement;
    const watch = new ResizeObserver(() => keepFree(strip));
    watch.observe(strip);
    return () => watch.disconnect();
  }, []);
  const close = () => {
    const hadFocus = region.current?.contains(document.activeElement);
    dismissToast();
    if (hadFocus) returnFocus(cameFrom.current);
  };

  useEffect(() => {
    if (!open || held || tone === 'danger') return;
    const timer = setTimeout(dismissToast, TOAST_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [turn, open, held, tone]);

  const Icon = ICON[tone];
  return (
    <div
      ref={region}
      role="region"
      aria-label="Notifications"
      // The region spans the window on phones, and lies under menus and bars. `keepFree` scrolls the focused element
      // out from under it.
      className="toast-region fixed bottom-(--bars) left-0 z-15 w-full sm:w-109"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={({ relatedTarget, currentTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget;
        setHeld(true);
      }}
      onBlur={() => setHeld(false)}
    >
      {children}
      <div role={tone === 'danger' ? 'alert' : 'status'} className="sm:not-empty:pb-4 sm:not-empty:pl-4">
        {shown?.open && (
          <div
            key={turn}
            className={`toast fade-in flex min-h-14 items-center gap-3 border-l-4 bg-raised px-4 py-1.5 shadow-[inset_0_0_0_1px_var(--strong)] ${EDGE[tone]}`}
          >
            <Icon size={18} className={INK[tone]} />
            <div className="min-w-0 flex-1">
              <p className="font-semibold">{shown.title}</p>
              {shown.description && <p className="text-muted">{shown.description}</p>}
            </div>
            {shown.action && (
              <button
                type="button"
                className="underlined px-2 py-2 font-semibold"
                onClick={() => {
                  close();
                  shown.action?.onPress();
                }}
              >
                {shown.action.label}
              </button>
            )}
            <IconButton label="Close notification" onClick={close}>
              <X size={16} />
            </IconButton>
          </div>
        )}
      </div>
    </div>
  );
}
