import './legal.css';
import '../../ui/styles/print.css';
import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { legalQuery } from '../../api/catalogue.js';
import { paths } from '../../paths.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Button } from '../../ui/button.js';
import { formatDay } from '../../ui/format.js';
import { QueryFailure, Skeleton } from '../../ui/states.js';

/** A legal text of the operator, in its current or an earlier version. */
export default function LegalScreen() {
  const { document = '' } = useParams();
  const [search] = useSearchParams();
  const answer = useQuery(legalQuery(document, search));
  const { data } = answer;
  if (!data)
    return (
      <div className="gutter mx-auto max-w-190 py-12">
        <PageTitle />
        {answer.error ? (
          <QueryFailure of={answer} title="The text could not be loaded" />
        ) : (
          <Skeleton className="h-80" />
        )}
      </div>
    );
  return (
    <article className="gutter mx-auto max-w-190 py-12">
      <PageTitle>{data.title}</PageTitle>
      {!data.isCurrent && (
        <p role="status" className="mb-8 border-l-3 border-warn pl-3 text-warn">
          This version is no longer in use.{' '}
          <Link to={paths.legal(document)} className="underlined">
            Read the current one
          </Link>
        </p>
      )}
      {/* The server renders Markdown without HTML, so the text contains no active content. */}
      <div className="legal-text" dangerouslySetInnerHTML={{ __html: data.html }} />
      <footer className="mt-12 border-t border-line pt-6 text-muted">
        <p>
          In use since {formatDay(data.since)}. Version{' '}
          <code className="text-sm">{data.version.slice(0, 12)}</code>
        </p>
        <Button icon={<Printer size={16} />} className="mt-5 print:hidden" onClick={() => window.print()}>
          Print
        </Button>
        <p className="mt-5 print:hidden">
          <a href="/third-party-notices.txt" className="underlined inline-block py-2">
            Licences of the software in this shop
          </a>
        </p>
        {data.versions.length > 1 && (
          <section aria-labelledby="versions" className="mt-8 print:hidden">
            <h2 id="versions" className="display text-3xl text-text">
              Versions
            </h2>
            <ul className="mt-3">
              {data.versions.map(({ version, since }) => (
                <li key={version}>
                  <Link
                    to={`${paths.legal(document)}?${new URLSearchParams({ version })}`}
                    aria-current={version === data.version ? 'page' : undefined}
                    className="underlined inline-block py-2"
                  >
                    {formatDay(since)}, <code className="text-sm">{version.slice(0, 12)}</code>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        )}
      </footer>
    </article>
  );
}
