import { Dialog as Base } from '@base-ui/react/dialog';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { held } from '../../held.js';
import { useBackCloses } from './back.js';

const overAllCount = held(0);

/** Returns whether this dialog must hide under an `overAll` one: of two open modals, screen readers read neither. */
function useCovered(overAll: boolean): boolean {
  useEffect(() => {
    if (!overAll) return;
    overAllCount.set(overAllCount.get() + 1);
    return () => overAllCount.set(overAllCount.get() - 1);
  }, [overAll]);
  return overAllCount.use() > 0 && !overAll;
}

/** Closes the dialog when the visitor leaves its page. Filters and tabs change only the query, and keep it open. */
function useCloseOnLeave(open: boolean, onClose: () => void): void {
  const { pathname } = useLocation();
  const place = useRef(pathname);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    const before = place.current;
    place.current = pathname;
    if (open && before !== pathname) close.current();
  }, [open, pathname]);
}

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  /** `sheet` docks to the bottom on phones, and to the right edge on larger screens. */
  shape?: 'panel' | 'sheet';
  width?: number;
  /** A press outside does not close an alert dialog. */
  alert?: boolean;
  /** Opens over another open dialog, which is hidden meanwhile and keeps its state. */
  overAll?: boolean;
}

/**
 * Focus starts at `data-autofocus`, or at the first control. Escape, Back and a press outside close it, but not the
 * second press of the double press that opened it. Heavy: import it lazily.
 */
export function Dialog(props: DialogProps) {
  const { open, onClose, title, description, children, actions, shape = 'panel', width = 440, alert } = props;
  const covered = useCovered(props.overAll === true);
  useCloseOnLeave(open, onClose);
  useBackCloses(open, onClose);
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root
      open={open && !covered}
      onOpenChange={(next, { reason, event }) => {
        const isSecondPress = reason === 'outside-press' && event instanceof MouseEvent && event.detail > 1;
        if (!next && !isSecondPress) onClose();
      }}
      disablePointerDismissal={alert}
    >
      <Base.Portal keepMounted={covered}>
        <Base.Backdrop className="fade-in fixed inset-0 z-50 bg-[#0009]" />
        <Base.Popup
          role={alert ? 'alertdialog' : 'dialog'}
          ref={popup}
          initialFocus={() => popup.current?.querySelector<HTMLElement>('[data-autofocus]') ?? true}
          style={{ maxWidth: width }}
          className={clsx(
            'popover fixed z-50 flex max-h-[calc(100dvh-32px-2*var(--news,0px))] flex-col',
            shape === 'panel' &&
              'fade-in top-1/2 left-1/2 w-[calc(100vw-32px)] -translate-x-1/2 -translate-y-1/2',
            shape === 'sheet' &&
              'animate-[sheet_240ms_var(--ease)] inset-x-0 bottom-0 w-full sm:top-[var(--news,0px)] sm:bottom-0 sm:right-0 sm:left-auto sm:max-h-none',
          )}
        >
          <div className="flex items-start gap-4 px-6 pt-6">
            <div className="min-w-0 flex-1">
              <Base.Title className="display text-3xl">{title}</Base.Title>
              {description && <Base.Description className="mt-3 text-muted">{description}</Base.Description>}
            </div>
            {!alert && (
              <Base.Close className="icon-btn -mt-1.5 -mr-2" aria-label="Close">
                <X size={18} />
              </Base.Close>
            )}
          </div>
          {children && <div className="min-h-0 flex-1 overflow-y-auto px-6 pt-4 pb-1">{children}</div>}
          {actions ? (
            <div className="flex flex-wrap justify-end gap-2 px-6 pt-5 pb-6 *:flex-1">{actions}</div>
          ) : (
            <div className="pb-6" />
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
