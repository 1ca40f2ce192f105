import { useMutation } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Link2, Plus, Trash2, X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { KEYS, type MusicalKey } from '../../../application/catalogue/values.js';
import { PROJECT_NAME_MAX_LENGTH } from '../../../application/library/values.js';
import { askConfirm } from '../ui/overlays/alerts.js';
import { useBackCloses } from '../ui/overlays/back.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { toast } from '../ui/overlays/toast.js';
import { Button, IconButton } from '../ui/button.js';
import { useFileDrop } from '../ui/forms/use-file-drop.js';
import { useFilePicker } from '../ui/forms/file-picker.js';
import { SelectControl } from '../ui/forms/field.js';
import { useCopy } from '../ui/hooks/use-copy.js';
import { useMedia } from '../ui/hooks/use-media.js';
import { KeyWheel } from './key-wheel.js';
import { NameField } from './name-field.js';
import { closeProjectPanel } from './panel-request.js';
import { type NamedProject, newProject, openProject, projectText, useProject } from './project.js';
import { addProject, changeProject, removeProject, useProjects } from './projects.js';
import { projectLink } from './share.js';
import { SignatureField } from './signature-field.js';
import { TempoField } from './tempo-field.js';

const ACCEPTED = '.als,.rpp,.dawproject,.mid,.midi';

/** Reads a project file in the browser, and asks before its values replace those of the open project. */
async function takeFile(file: File, open: NamedProject | null): Promise<void> {
  const { readProjectFile } = await import('./files/read-project-file.js');
  const result = await readProjectFile(file);
  if ('problem' in result) return toast({ title: file.name, description: result.problem, tone: 'danger' });
  const { values } = result;
  const name = file.name.replace(/\.\w+$/, '').slice(0, PROJECT_NAME_MAX_LENGTH);
  if (!open) return void addProject({ name, ...values });
  const next = newProject({ ...open, ...values });
  const sure = await askConfirm({
    title: 'Use this file?',
    message: `${file.name}: ${projectText(next)}. This replaces ${projectText(open)} of “${open.name}”.`,
    confirmLabel: 'Replace',
    cancelLabel: 'Keep mine',
  });
  if (sure) changeProject(next);
}

function FileDrop({ project }: { project: NamedProject | null }) {
  const { mutate, isPending } = useMutation({
    mutationFn: (file: File) => takeFile(file, project),
    onError: (_, { name: title }) =>
      toast({ title, description: 'The file could not be read.', tone: 'danger' }),
  });
  const take = (file: File) => isPending || mutate(file);
  const { over, drop } = useFileDrop(take);
  const picker = useFilePicker({
    label: 'Project file',
    accept: ACCEPTED,
    onFiles: ([file]) => file && take(file),
  });
  return (
    <div
      className="relative border border-dashed border-strong p-3.5 pr-7 text-sm data-over:bg-hover"
      data-over={over ? '' : undefined}
      {...drop}
    >
      <svg viewBox="0 0 10 10" className="absolute -top-px -right-px size-6 fill-mark" aria-hidden="true">
        <path d="M0 0h10v10z" />
      </svg>
      <p className="font-semibold text-base">Drop an Ableton, REAPER or DAWproject file</p>
      <p className="mt-1 text-muted" role="status">
        {isPending ? 'Reading the file…' : 'Read here, not uploaded. MIDI works too.'}
      </p>
      <button type="button" className="underlined py-1" onClick={picker.open}>
        Choose a file
      </button>
      {picker.input}
    </div>
  );
}

const LEGEND = [
  ['yours', 'border-mark bg-accent'],
  ['fits as it is', 'border-mark bg-accent-wash'],
  ['transposed', 'border-strong bg-inset'],
] as const;

function KeyField({
  value,
  onChange,
}: {
  value: MusicalKey | null;
  onChange: (key: MusicalKey | null) => void;
}) {
  return (
    <div className="flex flex-col">
      <label htmlFor="project-key" className="mb-2 block font-semibold">
        Key
      </label>
      <SelectControl
        id="project-key"
        value={value ?? ''}
        options={KEYS.map((key) => [key, key])}
        onChange={({ target }) => onChange(KEYS.find((key) => key === target.value) ?? null)}
      >
        <option value="">No key</option>
      </SelectControl>
      <div className="mt-2 flex justify-center max-sm:-order-1 max-sm:mb-3">
        <KeyWheel value={value} onChange={onChange} />
      </div>
      <p className="flex justify-between gap-3 text-xs text-muted" aria-hidden="true">
        {LEGEND.map(([label, square]) => (
          <span key={label} className="flex items-center gap-1.5">
            <span className={`size-2.75 key-legend border ${square}`} />
            {label}
          </span>
        ))}
      </p>
    </div>
  );
}

function ProjectCard({ project, isOpen }: { project: NamedProject; isOpen: boolean }) {
  const remove = async () => {
    const { name } = project;
    const message = `“${name}” is deleted from your projects. Your sounds stay.`;
    const sure = await askConfirm({
      title: 'Delete project?',
      message,
      confirmLabel: 'Delete',
      destructive: true,
    });
    if (sure) removeProject(project);
  };
  return (
    <li
      className={clsx(
        'flex min-w-0 border border-line',
        isOpen && 'bg-hover shadow-[inset_3px_0_var(--mark)]',
      )}
    >
      <button
        type="button"
        className="min-w-0 flex-1 py-2 pl-3 text-left"
        aria-current={isOpen ? 'true' : undefined}
        onClick={() => openProject(project)}
      >
        <span className="block truncate font-semibold">{project.name}</span>
        <span className="narrow block truncate text-sm text-muted">{projectText(project)}</span>
        <span className="block text-xs text-faint">{isOpen ? 'open now' : '\u00a0'}</span>
      </button>
      <IconButton
        label="Delete"
        about={project.name}
        className="size-9 self-start max-md:size-11"
        onClick={() => void remove()}
      >
        <Trash2 size={15} />
      </IconButton>
    </li>
  );
}

function ProjectList({ open }: { open: NamedProject | null }) {
  const { projects, failed, list } = useProjects();
  return (
    <div>
      <div className="mb-2 flex items-center justify-between">
        <h3 className="font-semibold">Your projects</h3>
        <Button
          tone="ghost"
          size="small"
          icon={<Plus size={15} />}
          // The second press of a double click adds nothing.
          onClick={({ detail }) => detail < 2 && void addProject()}
        >
          New project
        </Button>
      </div>
      {failed ? (
        <p role="alert" className="flex items-center gap-3 text-sm text-muted">
          Your projects could not be loaded.
          <Button size="small" onClick={() => void list.refetch()}>
            Try again
          </Button>
        </p>
      ) : projects?.length === 0 ? (
        <p className="text-sm text-muted">Set a tempo or a key to begin your first project.</p>
      ) : projects === undefined ? (
        <p role="status" className="text-sm text-muted">
          Loading your projects…
        </p>
      ) : (
        <ul className="grid max-h-52 list-none grid-cols-3 gap-2 overflow-y-auto p-0 max-lg:grid-cols-2 max-sm:grid-cols-1">
          {projects.map((project) => (
            <ProjectCard key={project.id} project={project} isOpen={project.id === open?.id} />
          ))}
        </ul>
      )}
    </div>
  );
}

const ProjectName = ({ project }: { project: NamedProject | null }) => (
  <NameField
    key={project?.id}
    label="Name of the project"
    name={project?.name ?? 'My project'}
    onChange={(name) => changeProject({ name })}
  />
);

function Fields() {
  const project = useProject();
  const { tempo, key, timeSignature } = project ?? newProject();
  return (
    <div className="grid gap-x-6 gap-y-5 lg:grid-cols-2">
      <div className="sr-only" aria-live="polite">
        {project && projectText(project)}
      </div>
      <div className="grid content-start gap-5">
        <TempoField tempo={tempo} onChange={(next) => changeProject({ tempo: next })} />
        <SignatureField value={timeSignature} onChange={(next) => changeProject({ timeSignature: next })} />
        <FileDrop project={project} />
      </div>
      <KeyField value={key} onChange={(next) => changeProject({ key: next })} />
    </div>
  );
}

function Actions({ project }: { project: NamedProject }) {
  const { copied, copy, forget } = useCopy();
  useEffect(forget, [forget, project]);
  return (
    <>
      <Button tone="ghost" size="small" icon={<Link2 size={15} />} onClick={() => copy(projectLink(project))}>
        <span aria-live="polite">{copied ? 'Copied' : 'Copy link'}</span>
      </Button>
      <Button tone="ghost" size="small" onClick={() => openProject(null)}>
        Close project
      </Button>
    </>
  );
}

const DIALOGS = '[role=dialog], [role=alertdialog], [data-opens-project]';

const leave = () => closeProjectPanel({ leave: true });

/**
 * Moves the focus into the panel. Closes the panel on Back and on presses outside it. Presses in dialogs, and on
 * buttons for the panel, count as inside.
 */
function usePanel() {
  const box = useRef<HTMLDivElement>(null);
  useBackCloses(true, leave);
  const press = useEffectEvent(({ target }: PointerEvent) => {
    if (target instanceof Element && !target.closest(DIALOGS)) closeProjectPanel();
  });
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    const pressed = (event: PointerEvent) => press(event);
    document.addEventListener('pointerdown', pressed);
    return () => document.removeEventListener('pointerdown', pressed);
  }, []);
  return box;
}

const PLACE =
  'fixed right-(--gutter) bottom-[calc(16px+var(--dock))] z-45 flex max-h-[calc(100dvh-var(--header)-32px-var(--dock))] w-[min(560px,100vw-2*var(--gutter))] flex-col';

function Popover() {
  const project = useProject();
  const box = usePanel();
  return (
    <div
      ref={box}
      role="dialog"
      aria-label="My project"
      tabIndex={-1}
      className={`${PLACE} popover fade-in outline-none`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        leave();
      }}
    >
      <div className="flex items-center gap-1 border-b border-line px-6 py-2.5">
        <ProjectName project={project} />
        {project && <Actions project={project} />}
        <IconButton label="Close" onClick={leave}>
          <X size={18} />
        </IconButton>
      </div>
      <div className="overflow-y-auto px-6 py-4">
        <Fields />
      </div>
      <div className="border-t border-line px-6 py-4">
        <ProjectList open={project} />
      </div>
    </div>
  );
}

function Sheet() {
  const project = useProject();
  return (
    <Dialog open overAll shape="sheet" title="My project" onClose={leave}>
      <div className="grid gap-5 pb-2">
        {project && (
          <div className="-mt-2 flex flex-wrap items-center border-b border-line pb-2 *:not-first:-ml-3">
            <div className="flex basis-full">
              <ProjectName project={project} />
            </div>
            <Actions project={project} />
          </div>
        )}
        <Fields />
        <ProjectList open={project} />
      </div>
    </Dialog>
  );
}

/**
 * The panel "My project": tempo, key and time signature of the open project, and a list of all projects. It lies above
 * the player, or is a sheet in windows below 1024 px.
 */
export default function ProjectPanel() {
  return useMedia('(width < 1024px)') ? <Sheet /> : <Popover />;
}
