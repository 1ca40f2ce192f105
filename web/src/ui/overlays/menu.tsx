import { Menu as Base } from '@base-ui/react/menu';
import { ChevronRight } from 'lucide-react';
import { type ReactElement, type ReactNode, createContext, useContext, useState } from 'react';
import { Link } from 'react-router-dom';

const ITEM =
  'flex h-9.5 w-full items-center gap-3 px-3 text-md no-underline outline-none data-highlighted:bg-hover';

/** Popups render in this element beside their trigger, so that they belong to the landmark of the trigger. */
const Host = createContext<HTMLElement | null>(null);

/** A menu on a button. Heavy: import the module that uses it lazily. */
export function Menu(props: {
  trigger: ReactElement;
  heading?: ReactNode;
  defaultOpen?: boolean;
  children: ReactNode;
}) {
  const [host, setHost] = useState<HTMLElement | null>(null);
  return (
    <Host value={host}>
      <Base.Root defaultOpen={props.defaultOpen}>
        <Base.Trigger render={props.trigger} />
        <Base.Portal container={host}>
          <Base.Positioner sideOffset={10} align="end" className="z-50">
            <Base.Popup className="popover fade-in w-59 p-2 outline-none">
              {props.heading && (
                <div className="mb-2 border-b border-line px-3 pt-2 pb-3.5">{props.heading}</div>
              )}
              {props.children}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
      <span ref={setHost} className="absolute" />
    </Host>
  );
}

export function MenuItem(props: {
  icon?: ReactNode;
  className?: string;
  disabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
}) {
  const { icon, className = '', disabled, onSelect, children } = props;
  return (
    <Base.Item
      className={`${ITEM} ${disabled ? 'text-faint' : ''} ${className}`}
      disabled={disabled}
      onClick={onSelect}
    >
      {icon}
      {children}
    </Base.Item>
  );
}

export function MenuLink({ icon, to, children }: { icon?: ReactNode; to: string; children: ReactNode }) {
  return (
    <Base.Item className={ITEM} render={<Link to={to} />}>
      {icon}
      {children}
    </Base.Item>
  );
}

export function SubMenu({ icon, label, children }: { icon?: ReactNode; label: string; children: ReactNode }) {
  const host = useContext(Host);
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className={ITEM}>
        {icon}
        <span className="flex-1 text-left">{label}</span>
        <ChevronRight size={16} />
      </Base.SubmenuTrigger>
      <Base.Portal container={host}>
        <Base.Positioner sideOffset={6} className="z-50">
          <Base.Popup className="popover fade-in w-59 p-2 outline-none">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.SubmenuRoot>
  );
}
