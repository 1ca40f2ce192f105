import { useMutation } from '@tanstack/react-query';
import { FileAudio, ImageOff } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { GENRES, MOODS } from '../../../../application/catalogue/values.js';
import { MANIFEST_NAME } from '../../../../application/publishing/folder/manifest.js';
import { isSameTitle, type PlannedPack } from '../../../../application/publishing/folder/plan.js';
import type { OwnPackCard } from '../../../../application/publishing/contract.js';
import { TITLE_MAX_LENGTH } from '../../../../application/publishing/values.js';
import { messageOf } from '../../api/transport/http.js';
import { paths } from '../../paths.js';
import { useSession } from '../../session/session.js';
import { Button } from '../../ui/button.js';
import { Input, Select } from '../../ui/forms/field.js';
import { useFilePicker } from '../../ui/forms/file-picker.js';
import { useUnsaved } from '../../ui/forms/unsaved.js';
import { countOf, formatBytes } from '../../ui/format.js';
import { showAlert } from '../../ui/overlays/alerts.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { toast } from '../../ui/overlays/toast.js';
import { ProgressBar } from '../../ui/progress-bar.js';
import { EmptyState, ErrorPanel, Problem, Skeleton } from '../../ui/states.js';
import {
  allOwnPacks,
  type ChosenFolder,
  type Choice,
  firstChoice,
  ownPackFor,
  readChosen,
  rememberedOf,
} from './chosen-folder.js';
import { makePacks } from './make-packs.js';

/** The most files that a list shows, because a folder may contain thousands. */
const SHOWN_LIMIT = 150;

interface Row {
  pack: PlannedPack;
  choice: Choice;
  /** The pack that the sounds would be added to; undefined if a new pack would be made. */
  own: OwnPackCard | undefined;
}

type Problems = Partial<Record<'title' | 'genre' | 'mood', string>>;

function problemsOf({ choice, own }: Row, rows: readonly Row[]): Problems {
  if (!choice.wanted) return {};
  const same = rows.filter((row) => row.choice.wanted && isSameTitle(row.choice.title, choice.title));
  return {
    ...(choice.title.trim() === '' && { title: 'Enter a name' }),
    ...(same.length > 1 && { title: 'Two packs have this name' }),
    ...(!own && choice.genre === '' && { genre: 'Choose a genre' }),
    ...(!own && choice.mood === '' && { mood: 'Choose a mood' }),
  };
}

const optionsOf = (labels: readonly string[]) => labels.map((label) => [label, label] as const);

/** The cover of a pack: a picture from the folder, or an icon if the folder has none for it. */
function CoverImage({ file }: { file: File | undefined }) {
  const address = useMemo(() => file && URL.createObjectURL(file), [file]);
  useEffect(() => {
    if (!address) return undefined;
    return () => URL.revokeObjectURL(address);
  }, [address]);
  return address ? (
    <img src={address} alt={`Cover ${file?.name}`} className="size-10 object-cover md:size-14" />
  ) : (
    <span
      className="mat grid size-10 place-items-center text-faint md:size-14"
      title="No cover in the folder"
    >
      <ImageOff size={18} />
    </span>
  );
}

function factsOf({ sounds }: PlannedPack): string {
  const bytes = sounds.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const midi = sounds.filter((sound) => sound.midi !== null).length;
  const stems = sounds.filter((sound) => sound.stems !== null).length;
  return [
    `${countOf(sounds.length, 'sound')}, ${formatBytes(bytes)}`,
    midi > 0 && `${midi} with MIDI`,
    stems > 0 && `${stems} with stems`,
  ]
    .filter(Boolean)
    .join(' · ');
}

const STATES = {
  draft: 'Continues your draft',
  unpublished: 'Continues your pack, which is off sale',
  published: 'This pack is on sale. Its new sounds go on sale at once',
  taken_down: 'This pack was taken down and cannot be changed',
} as const;

function PackRow(props: {
  row: Row;
  folder: ChosenFolder;
  problems: Problems;
  change: (part: Partial<Choice>) => void;
}) {
  const { row, folder, problems, change } = props;
  const { pack, choice, own } = row;
  return (
    <li className="grid grid-cols-[auto_auto_minmax(0,1fr)] items-start gap-x-3 md:gap-x-4 gap-y-2 border-t border-line py-4">
      <input
        type="checkbox"
        className="checkbox mt-2 md:mt-4"
        aria-label={`Make ${choice.title}`}
        checked={choice.wanted}
        disabled={own?.status === 'taken_down'}
        onChange={({ target }) => change({ wanted: target.checked })}
      />
      <CoverImage file={folder.files.get(pack.cover ?? '')} />
      <div className="grid grid-cols-2 gap-2 md:grid-cols-[minmax(0,1fr)_10rem_10rem]">
        <Input
          className="max-md:col-span-2"
          label={`Name of ${pack.title}`}
          hideLabel
          maxLength={TITLE_MAX_LENGTH}
          value={choice.title}
          error={problems.title}
          onChange={({ target }) => change({ title: target.value })}
        />
        {!own &&
          (
            [
              ['genre', 'Genre', GENRES],
              ['mood', 'Mood', MOODS],
            ] as const
          ).map(([field, label, labels]) => (
            <Select
              key={field}
              label={`${label} of ${pack.title}`}
              hideLabel
              value={choice[field]}
              error={problems[field]}
              onChange={({ target }) => change({ [field]: target.value })}
              options={optionsOf(labels)}
            >
              <option value="">{label}</option>
            </Select>
          ))}
        <p className="col-span-full text-sm text-muted">
          {factsOf(pack)}
          {own && (
            <span className={own.status === 'published' ? 'text-warn' : undefined}>
              {' · '}
              {STATES[own.status]}
              {own.sampleCount > 0 && `; ${countOf(own.sampleCount, 'sample')} there`}
            </span>
          )}
        </p>
      </div>
    </li>
  );
}

function LeftOut({ files }: { files: ChosenFolder['plan']['leftOut'] }) {
  if (files.length === 0) return null;
  return (
    <details className="border-t border-line py-3">
      <summary className="min-h-8 cursor-pointer font-semibold">
        {countOf(files.length, 'file is', 'files are')} left out
      </summary>
      <ul className="m-0 list-none p-0 text-sm">
        {files.slice(0, SHOWN_LIMIT).map(({ path, reason }) => (
          <li key={path} className="py-1">
            <span className="break-all">{path}</span> <span className="text-muted">{reason}</span>
          </li>
        ))}
        {files.length > SHOWN_LIMIT && <li className="py-1">And {files.length - SHOWN_LIMIT} more.</li>}
      </ul>
    </details>
  );
}

function WrongRows({ rows }: { rows: ChosenFolder['plan']['wrongRows'] }) {
  return (
    <section role="alert" className="border-l-4 border-danger bg-danger-wash px-4 py-3">
      <h3 className="font-semibold">
        {countOf(rows.length, 'row')} of {MANIFEST_NAME} {rows.length === 1 ? 'is' : 'are'} wrong
      </h3>
      <p className="mt-1 text-muted">Nothing is made until all rows are right.</p>
      <ul className="mt-2 mb-0 list-none p-0">
        {rows.slice(0, SHOWN_LIMIT).map(({ row, reason }) => (
          <li key={row} className="py-0.5 break-words">
            <b>Row {row}</b>: {reason}.
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Examined {
  files: readonly File[];
  folder: ChosenFolder;
  packs: OwnPackCard[];
}

/** Reads the folder and the packs of the creator, and holds the choices for each pack. */
function useExamined(files: readonly File[], userId: string) {
  const [read, setRead] = useState<Examined | null>(null);
  const [failed, setFailed] = useState<{ files: readonly File[]; error: unknown } | null>(null);
  const [choices, setChoices] = useState<Record<string, Choice>>({});
  useEffect(() => {
    let isGone = false;
    Promise.all([readChosen(files), allOwnPacks()]).then(
      ([folder, packs]) => {
        if (isGone) return;
        const before = rememberedOf(userId, folder.name);
        const first = folder.plan.packs.map((pack): [string, Choice] => {
          const choice = firstChoice(pack, before[pack.key]);
          const status = ownPackFor(packs, choice.title, before[pack.key])?.status ?? 'draft';
          return [pack.key, { ...choice, wanted: status === 'draft' || status === 'unpublished' }];
        });
        setChoices(Object.fromEntries(first));
        setRead({ files, folder, packs });
      },
      (error: unknown) => !isGone && setFailed({ files, error }),
    );
    return () => {
      isGone = true;
    };
  }, [files, userId]);
  const found = read?.files === files ? read : null;
  const before = found && rememberedOf(userId, found.folder.name);
  const rows = (found?.folder.plan.packs ?? []).flatMap((pack): Row[] => {
    const choice = choices[pack.key];
    return found && choice
      ? [{ pack, choice, own: ownPackFor(found.packs, choice.title, before?.[pack.key]) }]
      : [];
  });
  const change = (keys: readonly string[], part: Partial<Choice>) =>
    setChoices((all) => ({
      ...all,
      ...Object.fromEntries(keys.flatMap((key) => (all[key] ? [[key, { ...all[key], ...part }]] : []))),
    }));
  return { folder: found?.folder, rows, change, error: failed?.files === files ? failed.error : null };
}

/** Two fields that set the genre or the mood of all new packs without one. */
function ForAll({
  rows,
  change,
}: {
  rows: readonly Row[];
  change: ReturnType<typeof useExamined>['change'];
}) {
  const fields = (
    [
      ['genre', 'Genre', GENRES],
      ['mood', 'Mood', MOODS],
    ] as const
  ).map(([field, label, labels]) => {
    const open = rows.filter(({ choice, own }) => !own && choice[field] === '').map(({ pack }) => pack.key);
    return { field, label, labels, open };
  });
  if (fields.every(({ open }) => open.length < 2)) return null;
  return (
    <div className="grid grid-cols-2 gap-2 border-t border-line py-4 md:grid-cols-[minmax(0,1fr)_10rem_10rem]">
      <p className="text-muted max-md:col-span-2 md:self-center">For all packs without one</p>
      {fields.map(({ field, label, labels, open }) => (
        <Select
          key={field}
          label={`${label} of all packs without one`}
          hideLabel
          value=""
          disabled={open.length === 0}
          onChange={({ target }) => change(open, { [field]: target.value })}
          options={optionsOf(labels)}
        >
          <option value="">{label}</option>
        </Select>
      ))}
    </div>
  );
}

function labelOf(wanted: readonly Row[]): string {
  const made = wanted.filter(({ own }) => !own).length;
  return made > 0 ? `Make ${countOf(made, 'pack')}` : 'Continue';
}

/** Shows the packs that a folder would become, makes them as drafts and queues their sounds. */
export default function FolderDialog(props: { files: readonly File[]; onClose: () => void }) {
  const { onClose } = props;
  const { user } = useSession();
  const userId = user?.id ?? '';
  const navigate = useNavigate();
  const [files, setFiles] = useState(props.files);
  const [isAsked, setAsked] = useState(false);
  const [place, setPlace] = useState(0);
  const { folder, rows, change, error } = useExamined(files, userId);
  const { input, open } = useFilePicker({ label: 'The folder again', folder: true, onFiles: setFiles });
  const wanted = rows.filter(({ choice }) => choice.wanted);
  const problems = new Map(rows.map((row) => [row.pack.key, problemsOf(row, rows)]));
  const isReady = [...problems.values()].every((each) => Object.keys(each).length === 0);
  const make = useMutation({
    mutationFn: (chosen: ChosenFolder) => makePacks(chosen, wanted, { userId, onPack: setPlace }),
    onSuccess: async (refusals) => {
      onClose();
      toast({
        title: `${countOf(wanted.length, 'pack is', 'packs are')} ready as drafts`,
        description: 'Their sounds are on the upload tape.',
      });
      void navigate(paths.dashboard);
      if (refusals.length > 0)
        await showAlert({ title: 'Some covers were refused', message: refusals.join('\n') });
    },
  });
  // Ignores a second press that comes before `isPending` is rendered.
  const isMaking = useRef(false);
  const press = () => {
    if (!isReady) return setAsked(true);
    if (!folder || isMaking.current) return undefined;
    isMaking.current = true;
    return make.mutate(folder, { onSettled: () => (isMaking.current = false) });
  };
  useUnsaved(make.isPending);
  const wrong = folder?.plan.wrongRows ?? [];
  const sounds = wanted.reduce((sum, { pack }) => sum + pack.sounds.length, 0);
  const isMakeable = folder && wrong.length === 0 && rows.length > 0;
  return (
    <Dialog
      open
      onClose={onClose}
      title={folder?.name ? `Packs of “${folder.name}”` : 'Packs of a folder'}
      width={820}
      description={
        isMakeable
          ? `${countOf(wanted.length, 'pack')} with ${countOf(sounds, 'sound')}${folder.hasManifest ? `, as ${MANIFEST_NAME} says` : ''}. They stay drafts until you publish them.`
          : undefined
      }
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {isMakeable ? (
            <Button
              tone="primary"
              icon={<FileAudio size={17} />}
              busy={make.isPending}
              disabled={wanted.length === 0}
              onClick={press}
            >
              {labelOf(wanted)}
            </Button>
          ) : (
            <Button tone="primary" onClick={open}>
              Choose the folder again
            </Button>
          )}
        </>
      }
    >
      {input}
      {error ? (
        <ErrorPanel title="The folder could not be read" error={error} />
      ) : !folder ? (
        <Skeleton className="h-40" text="Reading the folder…" />
      ) : wrong.length > 0 ? (
        <WrongRows rows={wrong} />
      ) : rows.length === 0 ? (
        <EmptyState title="No sounds in this folder">The files in it cannot be sold as sounds.</EmptyState>
      ) : (
        <>
          <ForAll rows={rows} change={change} />
          <ul className="m-0 list-none p-0" aria-label="Packs">
            {rows.map((row) => (
              <PackRow
                key={row.pack.key}
                row={row}
                folder={folder}
                problems={isAsked ? (problems.get(row.pack.key) ?? {}) : {}}
                change={(part) => change([row.pack.key], part)}
              />
            ))}
          </ul>
        </>
      )}
      {folder && <LeftOut files={folder.plan.leftOut} />}
      {make.isPending && (
        <div className="flex items-center gap-3 py-3" role="status">
          <ProgressBar label="Making packs" share={place / Math.max(1, wanted.length)} />
          <span className="text-sm text-muted">
            {place + 1} of {wanted.length}
          </span>
        </div>
      )}
      {make.error && (
        <Problem
          of={`${messageOf(make.error)} Press again to continue: nothing is made twice.`}
          className="py-3"
        />
      )}
    </Dialog>
  );
}
