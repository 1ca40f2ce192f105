import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from 'react-router-dom';
import { query } from '../../api/api.js';
import { ApiProblem } from '../../api/transport/http.js';
import { packPath } from '../../paths.js';
import { Gone, PageHeadSkeleton } from '../../packs/page-head.js';
import { QueryFailure } from '../../ui/states.js';
import UpcomingPack from '../../packs/upcoming-pack.js';

/**
 * A pack that its creator shows by a secret link before the release. After the release, the link redirects to the page
 * of the pack.
 */
export default function PreviewScreen() {
  const { token = '' } = useParams();
  const answer = useQuery(query('GET /api/previews/:token', { params: { token } }));
  const { data, error } = answer;
  if (error instanceof ApiProblem && [400, 404].includes(error.status))
    return <Gone title="This link has ended">Ask the creator for a new one.</Gone>;
  if (data && data.releaseAt === undefined) return <Navigate replace to={packPath(data)} />;
  return (
    <div className="relative pb-16">
      <QueryFailure of={answer} title="The pack could not be loaded" className="gutter pt-6" />
      {!data && !error && <PageHeadSkeleton />}
      {data && <UpcomingPack pack={data} />}
    </div>
  );
}
