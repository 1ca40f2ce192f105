import { X } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useId, useRef } from 'react';
import { IconButton } from '../../ui/button.js';
import { useMedia } from '../../ui/hooks/use-media.js';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';

const Dialog = lazyWithPreload(() =>
  import('../../ui/overlays/dialog.js').then((module) => module && { default: module.Dialog }),
);

interface SheetProps {
  title: string;
  onClose: () => void;
  /** Shown left of the buttons in a wide window, and below the content in a narrow one. */
  aside?: ReactNode;
  actions: ReactNode;
  children: ReactNode;
}

function Docked({ title, onClose, aside, actions, children }: SheetProps) {
  const id = useId();
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    box.current?.querySelector<HTMLElement>('input:not([tabindex="-1"])')?.focus({ preventScroll: true });
    return () => {
      // Returns the focus to the element that had it before the panel opened, unless the creator has moved the focus
      // elsewhere.
      if (document.activeElement === document.body) before?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <aside
      ref={box}
      aria-labelledby={id}
      className="fade-in sticky top-(--header) flex h-[calc(100dvh-var(--header)-var(--dock,0px))] flex-col border-l border-strong bg-raised"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className="flex items-center justify-between gap-3 px-8 pt-6 pb-3">
        <h2 id={id} className="display text-3xl">
          {title}
        </h2>
        <IconButton label="Close" className="-mr-2" onClick={onClose}>
          <X size={18} />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-8 pt-1 pb-6">{children}</div>
      <div className="flex items-center gap-2 border-t border-line bg-surface px-8 py-4">
        {aside}
        <span className="flex-1" />
        {actions}
      </div>
    </aside>
  );
}

/** A side panel: beside the list in windows from 1280 px, and a modal dialog in narrower windows. */
export function Sheet(props: SheetProps) {
  const wide = useMedia('(width >= 1280px)');
  if (wide) return <Docked {...props} />;
  const { title, onClose, aside, actions, children } = props;
  return (
    <Suspense>
      <Dialog open shape="sheet" width={560} onClose={onClose} title={title} actions={actions}>
        {children}
        {aside && <div className="pt-5">{aside}</div>}
      </Dialog>
    </Suspense>
  );
}
