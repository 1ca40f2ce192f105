import { Link } from 'react-router-dom';
import type { Sample } from '../../../application/catalogue/contract.js';
import { packPathOf, paths } from '../paths.js';

export function Origin({ track, onFollow }: { track: Sample; onFollow?: () => void }) {
  return (
    <>
      <Link
        to={paths.creator(track.creator.handle)}
        className="no-underline hover:underline"
        onClick={onFollow}
      >
        {track.creator.displayName}
      </Link>
      {' in '}
      <Link to={packPathOf(track)} className="no-underline hover:underline" onClick={onFollow}>
        {track.pack.title}
      </Link>
    </>
  );
}
