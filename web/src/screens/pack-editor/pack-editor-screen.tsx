import './pack-editor.css';
import './grid/grid.css';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useCallback, useRef, useState, useEffect } from 'react';
import { Navigate, useLocation, useParams, useSearchParams } from 'react-router-dom';
import type { User } from '../../../../application/accounts/contract.js';
import type { CreatorState, OwnPack, OwnPackCard } from '../../../../application/publishing/contract.js';
import { creatorQuery } from '../../api/account.js';
import { ownPackQuery } from '../../api/creator.js';
import { ApiProblem } from '../../api/transport/http.js';
import { CreatorGate } from '../../creators/creator-gate.js';
import { DropZone, hasFolders } from '../../creators/drop-zone.js';
import { paths } from '../../paths.js';
import { PageTitle } from '../../shell/page-frame.js';
import { EmptyState, QueryFailure, Skeleton } from '../../ui/states.js';
import { askConfirm } from '../../ui/overlays/alerts.js';
import { askDiscard, useLeaveQuestion, useUnsaved } from '../../ui/forms/unsaved.js';
import { EditList } from './edit-list.js';
import { EditorHead } from './editor-head.js';
import { EditorToolbar } from './editor-toolbar.js';
import { needsOrigins, playable } from './own-sample.js';
import { deleteSample } from './pack-actions.js';
import { type Saving, useSaving } from './saving.js';
import { useUploads } from './upload/upload-store.js';
import { fetchAhead, fetchOnceOnline, lazyWithPreload } from '../../shell/lazy-with-preload.js';
import { loadSession } from '../../session/session.js';

/**
 * The state of the user's application as a creator. Reloads the session after an approval, so that the header and menus
 * show it.
 */
function useCreatorState({ isCreator }: Pick<User, 'isCreator'>): CreatorState | undefined {
  const { data } = useQuery(creatorQuery);
  const isNew = data?.status === 'approved' && !isCreator;
  useEffect(() => {
    if (isNew) void loadSession('user-updated');
  }, [isNew]);
  return data;
}

// The side panels and the grid load when they first open, the uploads ahead.
const AddSample = lazyWithPreload(() => import('./add-sample.js'));
const EditSample = lazyWithPreload(() => import('./edit-sample.js'));
const PromotionsSheet = lazyWithPreload(() => import('./promotions/promotions-sheet.js'));
const SplitsSheet = lazyWithPreload(() => import('./splits-sheet.js'));
// The splits panel and the price panel share one chunk.
const PriceSheet = lazyWithPreload(() =>
  import('./splits-sheet.js').then((module) => module && { default: module.PriceSheet }),
);
const UploadRows = lazyWithPreload(() => import('./upload/upload-list.js'));
const OriginDialog = lazyWithPreload(() => import('./upload/origin-dialog.js'));
const FolderDialog = lazyWithPreload(() => import('../../creators/folder/folder-dialog.js'));
const SampleGrid = lazyWithPreload(() => import('./grid/sample-grid.js'));

const loadUploads = () => import('./upload/uploads.js');

/** Fetches the code for uploads ahead, so that files chosen without a connection are queued and not lost. */
const prepareUploads = () =>
  void fetchAhead(() =>
    Promise.all([
      loadUploads(),
      import('./upload/file-check.js'),
      import('./upload/upload-tape.js'),
      UploadRows.load(),
      OriginDialog.load(),
    ]),
  );

/** Stands in for a dialog that asks about chosen files while its code is fetched, so that they count as unsaved. */
function FilesHeld() {
  useUnsaved(true);
  return null;
}

type Open =
  | { kind: 'add' }
  | { kind: 'splits' }
  | { kind: 'price' }
  | { kind: 'promotions' }
  | { kind: 'edit'; sampleId: string }
  | null;

/**
 * The state of the side panel, which shows a sample, the splits, the price or the promotion codes. Asks before unsaved
 * changes are lost.
 */
function useSheet() {
  const [open, setOpen] = useState<Open>(null);
  const dirty = useRef(false);
  const [isUnsaved, setUnsaved] = useState(false);
  const onDirty = useCallback((next: boolean) => {
    dirty.current = next;
    setUnsaved(next);
  }, []);
  useUnsaved(isUnsaved && open !== null);
  const change = useCallback(
    async (next: Open) => {
      if (dirty.current && !(await askDiscard())) return;
      onDirty(false);
      setOpen(next);
    },
    [onDirty],
  );
  const show = useCallback((next: Open) => void change(next), [change]);
  return { open, show, onDirty };
}

/** Whether the samples are shown as a grid; stored in the address, so that a reload keeps it. */
function useGridView(): [isGrid: boolean, show: (isGrid: boolean) => void] {
  const [query, setQuery] = useSearchParams();
  const { state } = useLocation();
  const show = (isGrid: boolean) =>
    setQuery(isGrid ? { view: 'grid' } : {}, { replace: true, state: state as unknown });
  return [query.get('view') === 'grid', show];
}

function Samples(props: {
  pack: OwnPack;
  user: User;
  sheet: ReturnType<typeof useSheet>;
  saving: Saving;
  /** Switches from the grid to the list; null while the list is shown. */
  onList: (() => void) | null;
}) {
  const { pack, user, sheet, saving, onList } = props;
  const uploads = useUploads(pack.id);
  const { show } = sheet;
  const edit = useCallback((sampleId: string) => show({ kind: 'edit', sampleId }), [show]);
  const { data: creator } = useQuery(creatorQuery);
  const mayUpload = mayUploadTo(pack, creator);
  useEffect(() => {
    if (mayUpload) prepareUploads();
  }, [mayUpload]);
  const [folder, setFolder] = useState<File[] | null>(null);
  const [unstated, setUnstated] = useState<File[] | null>(null);
  const [isHeld, setHeld] = useState(false);
  useUnsaved(isHeld);
  const queue = async (files: File[]) => {
    setHeld(true);
    try {
      const { addUploads } = await fetchOnceOnline(loadUploads);
      await addUploads(pack, files);
    } finally {
      setHeld(false);
    }
  };
  const take = (files: File[]) => {
    if (needsOrigins(pack)) setUnstated(files);
    else void queue(files);
  };
  const receive = async (files: File[]) => {
    const wantsPacks =
      hasFolders(files) &&
      (await askConfirm({
        title: 'Make a pack of each folder?',
        message: `Otherwise all sounds are added to “${pack.title}”.`,
        confirmLabel: 'Make packs',
        cancelLabel: 'Add to this pack',
      }));
    if (wantsPacks) setFolder(files);
    else take(files);
  };
  return (
    <DropZone onFiles={mayUpload ? (files) => void receive(files) : null} instead={<CreatorGate />}>
      {onList ? (
        <Suspense fallback={<Skeleton className="mt-2 h-72" />}>
          <SampleGrid key={pack.id} pack={pack} user={user} saving={saving} onClose={onList} />
        </Suspense>
      ) : pack.samples.length > 0 ? (
        <EditList
          pack={pack}
          user={user}
          selectedId={sheet.open?.kind === 'edit' ? sheet.open.sampleId : null}
          onEdit={edit}
        />
      ) : (
        uploads.length === 0 && (
          <div className="mt-4">
            <EmptyState title="No samples yet">
              Drop your files below. Each is analysed, and you check name, key and tempo.
            </EmptyState>
          </div>
        )
      )}
      <Suspense>{uploads.length > 0 && <UploadRows uploads={uploads} />}</Suspense>
      <Suspense fallback={<FilesHeld />}>
        {folder && <FolderDialog files={folder} onClose={() => setFolder(null)} />}
      </Suspense>
      <Suspense fallback={<FilesHeld />}>
        {unstated && <OriginDialog pack={pack} files={unstated} onClose={() => setUnstated(null)} />}
      </Suspense>
    </DropZone>
  );
}

/** Whether the creator may add samples: only an approved creator may, and not to a pack that was taken down. */
const mayUploadTo = (pack: OwnPack, creator: CreatorState | undefined): boolean =>
  creator?.status === 'approved' && pack.status !== 'taken_down';

function OpenSheet({ pack, user, sheet }: { pack: OwnPack; user: User; sheet: ReturnType<typeof useSheet> }) {
  const { open, show, onDirty } = sheet;
  const close = () => show(null);
  if (open?.kind === 'add') return <AddSample pack={pack} onClose={close} onDirty={onDirty} />;
  if (open?.kind === 'price') return <PriceSheet pack={pack} user={user} onClose={close} onDirty={onDirty} />;
  if (open?.kind === 'promotions') return <PromotionsSheet pack={pack} onClose={close} onDirty={onDirty} />;
  if (open?.kind === 'splits')
    return <SplitsSheet pack={pack} user={user} onClose={close} onDirty={onDirty} />;
  const sample = open && pack.samples.find(({ id }) => id === open.sampleId);
  if (!sample) return null;
  const remove = async () => {
    if (!(await deleteSample(pack, sample))) return;
    onDirty(false);
    close();
  };
  return (
    <EditSample
      key={sample.id}
      pack={pack}
      sample={sample}
      sound={playable(sample, pack, user)}
      onClose={close}
      onDelete={() => void remove()}
      onDirty={onDirty}
    />
  );
}

function Editor({ card, pack, user }: { card: OwnPackCard; pack: OwnPack | undefined; user: User }) {
  const sheet = useSheet();
  const [isGrid, showGrid] = useGridView();
  const [chosenCost, setChosenCost] = useState<number | null>(null);
  const creator = useCreatorState(user);
  const cost = chosenCost ?? card.defaultCreditCost;
  const saving = useSaving(pack, cost);
  const hasGrid = isGrid && pack !== undefined && pack.samples.length > 0;
  return (
    <div
      className="group/editor grid grid-cols-[minmax(0,1fr)] xl:data-sheet:grid-cols-[minmax(0,1fr)_536px]"
      data-sheet={sheet.open ? '' : undefined}
    >
      <PageTitle>{card.title}</PageTitle>
      <div className="min-w-0 px-(--gutter) pt-5 pb-16">
        <EditorHead pack={card} full={pack} creatorName={user.displayName} saving={hasGrid ? null : saving} />
        {pack ? (
          <>
            <EditorToolbar
              pack={pack}
              cost={cost}
              onCost={setChosenCost}
              onAdd={() => sheet.show({ kind: 'add' })}
              onSplits={() => sheet.show({ kind: 'splits' })}
              onPrice={() => sheet.show({ kind: 'price' })}
              onPromotions={() => sheet.show({ kind: 'promotions' })}
              onGrid={isGrid ? null : () => showGrid(true)}
              mayUpload={mayUploadTo(pack, creator)}
            />
            <Samples
              pack={pack}
              user={user}
              sheet={sheet}
              saving={saving}
              onList={hasGrid ? () => showGrid(false) : null}
            />
          </>
        ) : (
          <div className="mt-6">
            <Skeleton className="h-14" text="Loading pack…" />
            <Skeleton className="mt-4 h-72" />
          </div>
        )}
      </div>
      <Suspense>{pack && <OpenSheet pack={pack} user={user} sheet={sheet} />}</Suspense>
    </div>
  );
}

export default function PackEditorScreen({ user }: { user: User }) {
  const { slug = '' } = useParams();
  const { state } = useLocation();
  useLeaveQuestion();
  const handed = (state as { packData?: OwnPackCard } | null)?.packData;
  const answer = useQuery(ownPackQuery(slug));
  const { data, error } = answer;
  const card = data ?? (handed?.slug === slug ? handed : undefined);
  if (data && data.slug !== slug) return <Navigate replace to={paths.creatorPack(data.slug)} />;
  if (error instanceof ApiProblem && (error.status === 404 || error.status === 410)) {
    return (
      <div className="gutter py-10">
        <EmptyState title="Pack not found" link={{ to: paths.dashboard, label: 'Creator Dashboard' }}>
          It was deleted or renamed, or it is not yours.
        </EmptyState>
      </div>
    );
  }
  if (error && !data)
    return <QueryFailure of={answer} title="The pack could not be loaded" className="gutter py-10" />;
  if (!card)
    return (
      <div className="gutter py-6">
        <Skeleton className="h-40" text="Loading pack…" />
        <Skeleton className="mt-6 h-72" />
      </div>
    );
  return <Editor key={card.id} card={card} pack={data} user={user} />;
}
