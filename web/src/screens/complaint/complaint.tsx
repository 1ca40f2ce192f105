import { Suspense } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { PageTitle } from '../../shell/page-frame.js';
import { Confirm } from './confirm.js';
import { NewComplaint } from './new-complaint.js';
import { OneComplaint } from './one-complaint.js';
import { lazyWithPreload } from '../../shell/lazy-with-preload.js';

const Transparency = lazyWithPreload(() => import('./transparency.js'));

/** A new complaint, its confirmation by a mailed link, and its status. */
export default function Complaint() {
  const { id } = useParams();
  const [search] = useSearchParams();
  const confirm = search.get('confirm');
  return (
    <div className="gutter mx-auto max-w-220 py-12 max-md:py-8">
      <PageTitle>Complaint</PageTitle>
      <meta name="robots" content="noindex" />
      {id === undefined ? (
        <NewComplaint />
      ) : id === 'transparency' ? (
        <Suspense>
          <Transparency />
        </Suspense>
      ) : confirm === null ? (
        <OneComplaint key={id} id={id} token={search.get('token')} />
      ) : (
        <Confirm id={id} token={confirm} />
      )}
    </div>
  );
}
