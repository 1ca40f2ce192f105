import { Link } from 'react-router-dom';
import type { Collection } from '../../../application/catalogue/contract.js';
import { paths } from '../paths.js';
import { Cover } from '../ui/sound/cover.js';
import { countOf } from '../ui/format.js';

export function CollectionCard(props: { collection: Collection; as?: 'h2' | 'h3' }) {
  const { name, slug, samples, category, artworkUrl, packs } = props.collection;
  const Heading = props.as ?? 'h2';
  return (
    <article className="cover-hover relative">
      <Cover title={name} genre={packs[0]?.genre ?? ''} artworkUrl={artworkUrl} labelled />
      <Heading className="mt-2.5 truncate text-md font-semibold">
        <Link to={paths.collection(slug)} className="no-underline after:absolute after:inset-0">
          {name}
        </Link>
      </Heading>
      <p className="text-muted">
        {countOf(samples, 'sample')}, {category}
      </p>
    </article>
  );
}
