import { useMutation, useQuery } from '@tanstack/react-query';
import { Check, Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { CollectionCard } from '../../../application/library/collections/contract.js';
import { COLLECTION_NAME_MAX_LENGTH } from '../../../application/library/values.js';
import { api, query } from '../api/api.js';
import { queryClient } from '../api/query-client.js';
import { paths } from '../paths.js';
import type { Collectable } from '../session/after-sign-in.js';
import { Button } from '../ui/button.js';
import { countOf } from '../ui/format.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { toast } from '../ui/overlays/toast.js';
import { LoadingText, Problem, QueryFailure, Skeleton } from '../ui/states.js';
import { collectionsChanged } from './collections-changed.js';

/** From this many collections on, the menu has a search field. */
const SEARCHED_FROM = 6;
const ROW = 'flex min-h-12 w-full items-center gap-3 border-b border-line px-2 text-left';

interface Press {
  card: CollectionCard;
  adds: boolean;
}

/** A press on a collection adds or removes a single sample. Several samples, such as a whole pack, are only added. */
function usePresses(thing: Collectable) {
  const sampleId = thing.sampleIds.length === 1 ? thing.sampleIds[0] : undefined;
  const asked = query('GET /api/collections/own', { query: { sampleId } });
  const answer = useQuery(asked);
  const mark = ({ card, adds }: Press) =>
    queryClient.setQueryData(asked.queryKey, (now) => ({
      items: now?.items.map((each) => (each.id === card.id ? { ...each, hasSample: adds } : each)) ?? [],
    }));
  const press = useMutation({
    scope: { id: 'collect' },
    onMutate: async (wish: Press) => {
      await queryClient.cancelQueries({ queryKey: asked.queryKey });
      if (sampleId) mark(wish);
    },
    mutationFn: async ({ card, adds }: Press) => {
      const params = { id: card.id };
      if (adds || !sampleId) {
        const body = { sampleIds: [...thing.sampleIds] };
        const { added } = await api('POST /api/collections/own/:id/samples', { params, body });
        if (sampleId) return `Added to ${card.name}`;
        return added > 0
          ? `${countOf(added, 'sample')} added to ${card.name}`
          : `${card.name} has them already`;
      }
      await api('DELETE /api/collections/own/:id/samples/:sampleId', { params: { ...params, sampleId } });
      return `Removed from ${card.name}`;
    },
    onError: (_, wish) => sampleId && mark({ ...wish, adds: !wish.adds }),
    onSettled: collectionsChanged,
  });
  return { answer, press, isSingle: sampleId !== undefined };
}

function NewCollection({ thing, onClose }: { thing: Collectable; onClose: () => void }) {
  const [name, setName] = useState('');
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () => api('POST /api/collections/own', { body: { name, sampleIds: [...thing.sampleIds] } }),
    onSuccess: ({ id, name: given }) => {
      collectionsChanged();
      onClose();
      toast({
        title: 'Collection created',
        description: `“${thing.title}” is in “${given}”.`,
        action: { label: 'Open', onPress: () => void navigate(paths.ownCollection(id)) },
      });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() && !create.isPending) create.mutate();
  };
  return (
    <form onSubmit={submit} className="pb-1">
      <div className="flex gap-2">
        <input
          className="field min-h-10! min-w-0 flex-1"
          aria-label="Name of a new collection"
          placeholder="New collection"
          maxLength={COLLECTION_NAME_MAX_LENGTH}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" disabled={!name.trim()} busy={create.isPending} icon={<Plus size={16} />}>
          Create
        </Button>
      </div>
      <Problem of={create.error} className="pt-2" />
    </form>
  );
}

export default function CollectDialog({ thing, onClose }: { thing: Collectable; onClose: () => void }) {
  const { answer, press, isSingle } = usePresses(thing);
  const [text, setText] = useState('');
  const cards = answer.data?.items ?? [];
  const shown = cards.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  const what = isSingle ? thing.title : `${thing.title}, ${countOf(thing.sampleIds.length, 'sample')}`;
  return (
    <Dialog open onClose={onClose} title="Add to collection" description={what} width={420}>
      <NewCollection thing={thing} onClose={onClose} />
      {cards.length >= SEARCHED_FROM && (
        <input
          type="search"
          className="field mt-3 min-h-10!"
          aria-label="Search your collections"
          placeholder="Search your collections"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {!answer.data && !answer.error && (
        <div className="pt-4">
          <LoadingText>Loading your collections...</LoadingText>
          <Skeleton className="h-12" />
        </div>
      )}
      <QueryFailure of={answer} title="Your collections could not be loaded" className="pt-4" />
      <ul className="m-0 list-none p-0 pt-3">
        {shown.map((card) => (
          <li key={card.id}>
            <button
              type="button"
              className={`${ROW} hover:bg-hover`}
              aria-pressed={isSingle ? card.hasSample : undefined}
              onClick={() => press.mutate({ card, adds: !card.hasSample })}
            >
              <span className="min-w-0 flex-1 truncate font-semibold">{card.name}</span>
              <span className="text-sm text-muted">{countOf(card.sampleCount, 'sample')}</span>
              <span className="grid size-5 place-items-center" aria-hidden="true">
                {card.hasSample ? <Check size={18} className="text-ok" /> : <Plus size={16} />}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {cards.length > 0 && shown.length === 0 && (
        <p className="py-4 text-muted">No collection is called “{text.trim()}”.</p>
      )}
      <p role="status" className="min-h-6 pt-2 text-sm text-muted">
        {press.isSuccess ? press.data : ''}
      </p>
      <Problem of={press.error} />
    </Dialog>
  );
}
