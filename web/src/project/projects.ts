import { mutationOptions, useQuery } from '@tanstack/react-query';
import { PROJECTS_LIMIT } from '../../../application/library/values.js';
import { api, problemOf, query } from '../api/api.js';
import { invalidate, queryClient } from '../api/query-client.js';
import { ApiProblem } from '../api/transport/http.js';
import { held } from '../held.js';
import { keep, kept } from '../kept.js';
import { currentSession, useSession } from '../session/session.js';
import { toast } from '../ui/overlays/toast.js';
import { currentProject, GUEST_PROJECTS, newProject, openProject, type NamedProject } from './project.js';

const LIST = query('GET /api/projects');
const KEY = ['projects'];

export function guestProjects(): NamedProject[] {
  const stored = kept(GUEST_PROJECTS);
  return Array.isArray(stored) ? stored.map((each) => newProject({ ...each })) : [];
}

const guests = held(guestProjects());

export function keepForGuest(projects: NamedProject[]): void {
  guests.set(projects);
  keep(GUEST_PROJECTS, projects.length > 0 ? projects : null);
}

const isSignedIn = (): boolean => currentSession().status === 'signed-in';

/** The visitor's projects, newest first: those of the account or, for a guest, those in this browser. */
export function useProjects() {
  const signedIn = useSession().status === 'signed-in';
  const list = useQuery({ ...LIST, enabled: signedIn });
  const own = guests.use();
  return { projects: signedIn ? list.data?.items : own, failed: signedIn && list.isError, list };
}

type Change =
  | { kind: 'add'; project: NamedProject }
  | { kind: 'change'; project: NamedProject }
  | { kind: 'remove'; project: NamedProject };

const newest = new Map<string, Change>();

function send(change: Change): Promise<unknown> | undefined {
  const { kind, project } = change;
  const { id, ...body } = project;
  if (kind === 'add') return api('POST /api/projects', { body: project });
  // Skips this change, because a newer change of the same project follows and contains it.
  if (newest.get(id) !== change) return undefined;
  return kind === 'change'
    ? api('PATCH /api/projects/:id', { params: { id }, body })
    : api('DELETE /api/projects/:id', { params: { id } });
}

const changed = (projects: readonly NamedProject[], { kind, project }: Change): NamedProject[] => {
  const others = projects.filter(({ id }) => id !== project.id);
  if (kind === 'add') return [project, ...others];
  return kind === 'remove' ? others : projects.map((each) => (each.id === project.id ? project : each));
};

export function explainUnsaved(error: unknown): void {
  const refused = problemOf('POST /api/projects', error)?.code === 'TooManyProjects';
  const gone = error instanceof ApiProblem && error.status === 404;
  if (gone) openProject(null);
  toast({
    title: 'Project not saved',
    description: refused
      ? `You have ${PROJECTS_LIMIT} projects. Delete one first.`
      : gone
        ? 'It was deleted elsewhere.'
        : 'Please try again.',
    tone: 'danger',
  });
}

/** `scope` sends all requests one after another, in the order of the changes. */
const changing = mutationOptions({
  mutationKey: KEY,
  scope: { id: 'projects' },
  mutationFn: async (change: Change) => send(change),
  onMutate: async (change) => {
    newest.set(change.project.id, change);
    // The answer to an earlier request would undo the change on the screen.
    await queryClient.cancelQueries({ queryKey: LIST.queryKey });
    queryClient.setQueryData(LIST.queryKey, (before) => before && { items: changed(before.items, change) });
  },
  onError: explainUnsaved,
  onSettled: () => {
    if (queryClient.isMutating({ mutationKey: KEY }) === 1) void invalidate('GET /api/projects');
  },
});

function apply(change: Change): void {
  if (!isSignedIn()) return keepForGuest(changed(guests.get(), change).slice(0, PROJECTS_LIMIT));
  void queryClient
    .getMutationCache()
    .build(queryClient, changing)
    .execute(change)
    .catch(() => undefined);
}

/** Opens a new project and keeps it in the list. */
export function addProject(values: Parameters<typeof newProject>[0] = {}): NamedProject {
  const project = newProject(values);
  openProject(project);
  apply({ kind: 'add', project });
  return project;
}

/** Changes the open project; without one, opens a new project with these values. */
export function changeProject(part: Partial<NamedProject>): void {
  const before = currentProject();
  if (!before) return void addProject(part);
  const project = { ...before, ...part };
  openProject(project);
  apply({ kind: 'change', project });
}

export function removeProject(project: NamedProject): void {
  if (currentProject()?.id === project.id) openProject(null);
  apply({ kind: 'remove', project });
}
