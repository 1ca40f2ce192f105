import { useMutation, useQuery } from '@tanstack/react-query';
import {
  AudioWaveform,
  Check,
  ChevronDown,
  CircleAlert,
  Copy,
  Ellipsis,
  FilePlus2,
  Plus,
  Redo2,
  Repeat,
  Share2,
  Trash2,
  Undo2,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { KEYS } from '../../../application/catalogue/values.js';
import { LANES_LIMIT } from '../../../application/library/values.js';
import { embedCode } from '../../../application/pages/values.js';
import { query } from '../api/api.js';
import { messageOf } from '../api/transport/http.js';
import { paths } from '../paths.js';
import { NameField } from '../project/name-field.js';
import { SignatureField } from '../project/signature-field.js';
import { TempoField } from '../project/tempo-field.js';
import { Button, IconButton } from '../ui/button.js';
import { Select } from '../ui/forms/field.js';
import { formatTime } from '../ui/format.js';
import { askConfirm } from '../ui/overlays/alerts.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { Menu, MenuItem } from '../ui/overlays/menu.js';
import { usePopup } from '../ui/overlays/popup.js';
import { notifyOf, toast } from '../ui/overlays/toast.js';
import { CopyLink, ShareLink } from '../ui/share-link.js';
import { KeyLabel } from '../ui/sound/key-tempo.js';
import {
  copyToMine,
  deleteBench,
  guestBenches,
  keepMine,
  loadTheirs,
  openWorkbench,
  saveNow,
  setShared,
  startAnew,
  useKept,
} from './saving.js';
import { changeSettings, toggleRange, useSettings } from './playback.js';
import type { Bench } from './song.js';
import { change, FULL_TEXT, isFull, redo, undo, useHistory } from './workbench.js';

/** Says whether the workbench is saved, and offers a way out of a conflict. */
function SavedNote({ bench }: { bench: Bench }) {
  const { saving, place, shareUrl } = useKept();
  const { status } = saving;
  if (status === 'stale' || status === 'gone')
    return (
      <p role="alert" className="flex flex-wrap items-center gap-2 text-warn">
        <CircleAlert size={15} />
        {status === 'gone'
          ? 'This workbench was deleted elsewhere.'
          : 'This workbench was changed elsewhere.'}
        {status === 'stale' && (
          <Button size="small" onClick={() => void loadTheirs()}>
            Load the other version
          </Button>
        )}
        <Button size="small" onClick={() => void keepMine()}>
          Keep mine
        </Button>
      </p>
    );
  if (status === 'failed')
    return (
      <p role="alert" className="flex flex-wrap items-center gap-2 text-danger">
        <CircleAlert size={15} />
        Not saved. {messageOf(saving.error)}
        <Button size="small" onClick={() => void saveNow()}>
          Try again
        </Button>
      </p>
    );
  const who =
    place === 'shared'
      ? 'shared with you, changes are not saved'
      : place === 'browser'
        ? 'kept in this browser'
        : shareUrl
          ? 'shared by link'
          : 'only you can see it';
  return (
    <p className="flex flex-wrap items-center gap-1 text-sm text-muted">
      <span role="status" className="flex items-center gap-2 empty:hidden">
        {status === 'saved' && (
          <>
            <Check size={15} className="text-ok" /> Saved {formatTime(saving.at)} ·
          </>
        )}
        {status === 'sending' && 'Saving… ·'}
      </span>
      {bench.lanes.length} of {LANES_LIMIT} lanes · {who}
    </p>
  );
}

function Value({ label, children, onClick }: { label: string; children: ReactNode; onClick: () => void }) {
  return (
    <button
      type="button"
      className="flex items-center gap-2 text-left max-lg:min-h-11 max-lg:border max-lg:border-strong max-lg:px-3 lg:border-l lg:border-line lg:pl-5 lg:first:border-0 lg:first:pl-0"
      onClick={onClick}
    >
      <span>
        <span className="block text-sm text-muted max-lg:sr-only">{label}</span>
        <span className="block text-xl max-lg:text-md">{children}</span>
      </span>
      <ChevronDown size={15} className="text-muted max-lg:hidden" aria-hidden="true" />
    </button>
  );
}

/** Tempo, key and time signature; a press opens their fields. */
function SongValues({ bench }: { bench: Bench }) {
  const [open, setOpen] = useState(false);
  const { box, onKeyDown } = usePopup(open, () => setOpen(false));
  const toggle = () => setOpen(!open);
  const { tempo, key, timeSignature } = bench;
  return (
    <div ref={box} className="relative flex gap-2 lg:gap-5" role="presentation" onKeyDown={onKeyDown}>
      <Value label="Tempo" onClick={toggle}>
        <b>{tempo}</b> <span className="text-sm text-muted">BPM</span>
      </Value>
      <Value label="Key" onClick={toggle}>
        {key ? <KeyLabel musicalKey={key} /> : <span className="text-muted">none</span>}
      </Value>
      <Value label="Signature" onClick={toggle}>
        <b>{timeSignature}</b>
      </Value>
      {open && (
        <div
          role="group"
          aria-label="Tempo, key and signature"
          className="popover absolute top-[calc(100%+8px)] left-0 z-35 grid w-76 gap-5 p-5 text-left"
        >
          <TempoField tempo={tempo} onChange={(next) => change({ tempo: next }, 'tempo')} />
          <Select
            label="Key"
            value={key ?? ''}
            options={KEYS.map((each) => [each, each])}
            onChange={({ target }) => change({ key: KEYS.find((each) => each === target.value) ?? null })}
          >
            <option value="">No key</option>
          </Select>
          <SignatureField value={timeSignature} onChange={(next) => change({ timeSignature: next })} />
        </div>
      )}
    </div>
  );
}

function ShareDialog({ bench, onClose }: { bench: Bench; onClose: () => void }) {
  const { place, shareUrl } = useKept();
  const isLocal = place === 'browser';
  // The last part of the share link is its secret. The embedded player uses the secret as its id.
  const embed = { kind: 'workbench', id: shareUrl?.split('/').at(-1) ?? '', title: bench.name } as const;
  return (
    <Dialog open onClose={onClose} title="Share" description={bench.name} width={520}>
      <p className="text-muted">
        {isLocal
          ? 'Sign in to share it: this workbench is only in your browser.'
          : 'With a link, anyone can hear the lanes and copy the workbench. Your name is not shown, and files of your own stay with you.'}
      </p>
      {!isLocal && (
        <ShareLink url={shareUrl} create={() => setShared(true)} end={() => setShared(false)}>
          <p className="mt-4 text-muted">A player for your own page, which plays each sound as recorded:</p>
          <CopyLink url={embedCode(embed, window.location.origin).html} label="Embed code" />
        </ShareLink>
      )}
    </Dialog>
  );
}

/** Menu items for the actions whose buttons are hidden on small screens. */
function SmallScreenItems({ onShare }: { onShare: (() => void) | null }) {
  const { past, future } = useHistory();
  const { originals, range } = useSettings();
  const items = [
    [Share2, 'Share', 'lg:hidden', onShare],
    [Undo2, 'Undo', 'md:hidden', past.length > 0 && undo],
    [Redo2, 'Redo', 'md:hidden', future.length > 0 && redo],
    [Repeat, range ? 'Play all bars' : 'Repeat four bars', 'md:hidden', toggleRange],
    [
      AudioWaveform,
      originals ? 'Play in tempo and key' : 'Play originals',
      'lg:hidden',
      () => changeSettings({ originals: !originals }),
    ],
  ] as const;
  return items.map(([Icon, text, className, act]) => (
    <MenuItem
      key={text}
      icon={<Icon size={16} />}
      className={className}
      disabled={!act}
      onSelect={() => act && act()}
    >
      {text}
    </MenuItem>
  ));
}

/** A menu of the listener's other workbenches, and of actions for this one. */
function BenchMenu({ bench, onShare }: { bench: Bench; onShare: () => void }) {
  const { place } = useKept();
  const isMine = place !== 'shared';
  const navigate = useNavigate();
  const list = useQuery({ ...query('GET /api/workbenches'), enabled: place === 'account' });
  const all = place === 'account' ? (list.data?.items ?? []) : guestBenches();
  const open = (id?: string) => {
    void navigate(paths.workbench);
    void (id === undefined ? startAnew() : openWorkbench(id));
  };
  const remove = async () => {
    const sure = await askConfirm({
      title: 'Delete workbench?',
      message: `“${bench.name}” and its link end. What you bought stays yours.`,
      confirmLabel: 'Delete',
      destructive: true,
    });
    if (!sure) return;
    void navigate(paths.workbench);
    await deleteBench().catch(notifyOf('The workbench was not deleted'));
  };
  return (
    <Menu
      trigger={
        <IconButton label="More" className={`max-lg:size-11 ${isMine ? '' : 'lg:hidden'}`}>
          <Ellipsis size={18} />
        </IconButton>
      }
    >
      <SmallScreenItems onShare={isMine && bench.lanes.length > 0 ? onShare : null} />
      {isMine && (
        <>
          <MenuItem icon={<FilePlus2 size={16} />} onSelect={() => open()}>
            New workbench
          </MenuItem>
          {all
            .filter(({ id }) => id !== bench.id)
            .slice(0, 12)
            .map(({ id, name }) => (
              <MenuItem key={id} onSelect={() => open(id)}>
                <span className="truncate">{name}</span>
              </MenuItem>
            ))}
          <MenuItem icon={<Trash2 size={16} />} onSelect={() => void remove()}>
            <span className="truncate">Delete “{bench.name}”</span>
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

function CopyButton() {
  const navigate = useNavigate();
  const copy = useMutation({
    mutationFn: copyToMine,
    onSuccess: (isSaved) => {
      void navigate(paths.workbench);
      if (isSaved) toast({ title: 'Copied', description: 'The workbench is yours now.' });
    },
  });
  return (
    <Button tone="primary" icon={<Copy size={17} />} busy={copy.isPending} onClick={() => copy.mutate()}>
      Copy to mine
    </Button>
  );
}

/** @param props.onAdd opens the choice of sounds */
export function BenchHead({ bench, onAdd }: { bench: Bench; onAdd: () => void }) {
  const { place } = useKept();
  const [sharing, setSharing] = useState(false);
  const full = isFull(bench);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-3 pb-4 lg:gap-x-8">
      <div className="min-w-0 max-lg:basis-full lg:w-94">
        <div className="flex items-center">
          <h1 className="sr-only">{bench.name}</h1>
          <NameField
            key={bench.id}
            label="Name of the workbench"
            size="text-5xl"
            name={bench.name}
            onChange={(name) => change({ name })}
          />
          <BenchMenu bench={bench} onShare={() => setSharing(true)} />
        </div>
        <SavedNote bench={bench} />
      </div>
      <SongValues bench={bench} />
      <div className="ml-auto flex flex-wrap gap-2">
        {place === 'shared' ? (
          <CopyButton />
        ) : (
          <Button
            icon={<Share2 size={17} />}
            className="max-lg:hidden"
            disabled={bench.lanes.length === 0}
            onClick={() => setSharing(true)}
          >
            Share
          </Button>
        )}
        <Button
          icon={<Plus size={17} />}
          disabled={full}
          title={full ? FULL_TEXT : undefined}
          className="max-lg:min-h-11 max-lg:border-0 max-lg:px-2"
          onClick={onAdd}
        >
          {full ? `${LANES_LIMIT} of ${LANES_LIMIT} lanes` : 'Add sound'}
        </Button>
      </div>
      {sharing && <ShareDialog bench={bench} onClose={() => setSharing(false)} />}
    </div>
  );
}
