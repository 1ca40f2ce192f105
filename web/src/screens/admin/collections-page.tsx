import { useMutation, useQuery } from '@tanstack/react-query';
import { Check, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { query } from '../../api/api.js';
import { type Collection } from '../../../../application/catalogue/contract.js';
import { FEATURED_COLLECTIONS_LIMIT } from '../../../../application/catalogue/values.js';
import { everyCollectionQuery, featureCollections } from '../../api/admin.js';
import { paths } from '../../paths.js';
import { Button, IconButton } from '../../ui/button.js';
import { Cover } from '../../ui/sound/cover.js';
import { countOf } from '../../ui/format.js';
import { OrderedPicks } from '../../ui/forms/ordered-picks.js';
import { EmptyState } from '../../ui/states.js';
import { notifyOf, toast } from '../../ui/overlays/toast.js';
import { useLeaveQuestion, useUnsaved } from '../../ui/forms/unsaved.js';
import { Awaited, Panel } from '../../staff/page-parts.js';

/** At most this many collections are listed; the search finds the other collections. */
const SHOWN = 50;

function CollectionName({ name, slug, samples, category, artworkUrl, packs }: Collection) {
  return (
    <>
      <Cover
        title={name}
        genre={packs[0]?.genre ?? ''}
        artworkUrl={artworkUrl}
        size="small"
        className="w-10"
      />
      <span className="mx-2 min-w-0 flex-1">
        <Link
          to={paths.collection(slug)}
          className="block truncate font-semibold no-underline hover:underline"
        >
          {name}
        </Link>
        <span className="block truncate text-sm text-muted">
          {countOf(samples, 'sample')}, {category}
        </span>
      </span>
    </>
  );
}

function Chosen(props: {
  chosen: readonly Collection[];
  /**
   * Slugs of featured collections that the catalogue no longer lists: the collection is empty, or the artist whose
   * handle is in the slug has another handle now.
   */
  gone: readonly string[];
  dirty: boolean;
  onChange: (chosen: Collection[]) => void;
  onReset: () => void;
}) {
  const { chosen, gone, dirty, onChange, onReset } = props;
  const { mutate, isPending } = useMutation({
    mutationFn: () => featureCollections(chosen.map(({ slug }) => slug)),
    onSuccess: () => {
      onReset();
      toast({ title: 'The featured collections are saved' });
    },
    onError: notifyOf('Nothing was changed'),
  });
  return (
    <section
      aria-labelledby="featured-title"
      className="panel min-w-0 p-5 lg:sticky lg:top-[calc(var(--header)+16px)]"
    >
      <div className="mb-1 flex items-baseline justify-between gap-3">
        <h2 id="featured-title" className="text-lg font-semibold">
          Featured collections
        </h2>
        <p className="text-sm text-muted">
          {chosen.length} of {FEATURED_COLLECTIONS_LIMIT}
        </p>
      </div>
      <p className="mb-4 text-muted">
        {chosen.length > 0
          ? 'Sounds shows them in this order.'
          : 'No collection is chosen. Sounds shows the collections with the most samples.'}
      </p>
      <OrderedPicks
        label="Featured collections"
        items={chosen}
        nameOf={({ name }) => name}
        onChange={onChange}
      >
        {(collection) => <CollectionName {...collection} />}
      </OrderedPicks>
      {gone.length > 0 && (
        <p className="mt-3 text-sm text-warn">
          {gone.join(', ')}: no longer in the catalogue. Saving removes {gone.length === 1 ? 'it' : 'them'}.
        </p>
      )}
      <div className="mt-5 flex flex-wrap gap-2">
        <Button
          tone="primary"
          busy={isPending}
          disabled={!dirty && gone.length === 0}
          onClick={() => mutate()}
        >
          Save
        </Button>
        {dirty && (
          <Button disabled={isPending} onClick={onReset}>
            Discard changes
          </Button>
        )}
      </div>
    </section>
  );
}

function Offered(props: {
  collections: readonly Collection[];
  chosen: readonly Collection[];
  onChange: (chosen: Collection[]) => void;
}) {
  const { collections, chosen, onChange } = props;
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = collections.filter(({ name, category }) =>
    `${name} ${category}`.toLowerCase().includes(wanted),
  );
  const isFull = chosen.length >= FEATURED_COLLECTIONS_LIMIT;
  return (
    <Panel title="All collections" className="p-5">
      <input
        type="search"
        className="field mb-3"
        aria-label="Find a collection"
        placeholder="Name, or Artists, Genres, Sounds"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <ul aria-label="Collections to feature" className="border-t border-line empty:border-0">
        {found.slice(0, SHOWN).map((collection) => {
          const isChosen = chosen.some(({ id }) => id === collection.id);
          const { name } = collection;
          return (
            <li
              key={collection.id}
              className="flex min-h-14 items-center gap-1 border-b border-line py-1 pl-1"
            >
              <CollectionName {...collection} />
              <IconButton
                label={isChosen ? `Stop featuring ${name}` : `Feature ${name}`}
                disabled={isFull && !isChosen}
                onClick={() =>
                  onChange(
                    isChosen ? chosen.filter(({ id }) => id !== collection.id) : [...chosen, collection],
                  )
                }
              >
                {isChosen ? <Check size={18} className="text-ok" /> : <Plus size={18} />}
              </IconButton>
            </li>
          );
        })}
      </ul>
      <p role="status" className="mt-3 text-sm text-muted empty:hidden">
        {found.length === 0 && `No collection matches “${text.trim()}”`}
        {found.length > SHOWN && `The first ${SHOWN} of ${found.length}. Type a name to find the others.`}
      </p>
    </Panel>
  );
}

export function CollectionsPage() {
  const featured = useQuery(query('GET /api/admin/featured-collections'));
  const every = useQuery(everyCollectionQuery);
  const [edited, setEdited] = useState<Collection[]>();
  useUnsaved(edited !== undefined);
  useLeaveQuestion();
  if (!featured.data || !every.data) {
    const query = featured.error && !featured.data ? featured : every;
    return <Awaited query={query} what="collections" loading="Loading collections..." height={420} />;
  }
  const collections = every.data;
  if (collections.length === 0)
    return <EmptyState title="No collections yet">A collection appears with its first pack.</EmptyState>;
  const saved = featured.data.slugs.map((slug) => collections.find((each) => each.slug === slug) ?? slug);
  const chosen = edited ?? saved.filter((each) => typeof each !== 'string');
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Chosen
        chosen={chosen}
        gone={saved.filter((each) => typeof each === 'string')}
        dirty={edited !== undefined}
        onChange={setEdited}
        onReset={() => setEdited(undefined)}
      />
      <Offered collections={collections} chosen={chosen} onChange={setEdited} />
    </div>
  );
}
