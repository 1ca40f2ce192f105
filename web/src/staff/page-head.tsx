import type { ReactNode } from 'react';

export function PageHead({
  title,
  note,
  children,
}: {
  title: ReactNode;
  note?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="mb-5 flex flex-wrap items-end justify-between gap-4">
      <div className="min-w-0">
        <h1 className="display text-5xl">{title}</h1>
        {note && <p className="mt-2 max-w-[72ch] text-muted">{note}</p>}
      </div>
      {children && <div className="flex flex-wrap items-end gap-2 max-md:w-full">{children}</div>}
    </div>
  );
}
