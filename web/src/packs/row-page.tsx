import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { PageTitle } from '../shell/page-frame.js';

export function RowPage(props: {
  title: string;
  count: string;
  back: { to: string; label: string };
  children: ReactNode;
}) {
  const { title, count, back, children } = props;
  return (
    <section className="gutter pb-16">
      <PageTitle>{title}</PageTitle>
      <Link
        to={back.to}
        className="mt-5 inline-flex h-10 items-center pointer-coarse:h-11 gap-2.5 text-muted no-underline hover:text-text"
      >
        <ArrowLeft size={16} />
        {back.label}
      </Link>
      <h1 className="display mt-2 text-8xl">{title}</h1>
      <p className="mt-2 mb-7 text-muted">{count}</p>
      <div className="pack-grid">{children}</div>
    </section>
  );
}
