import { paths } from '../paths.js';
import { askConfirm } from '../ui/overlays/alerts.js';
import { PROJECT_LINK } from './panel-request.js';
import { currentProject, newProject, projectText, type NamedProject } from './project.js';
import { addProject } from './projects.js';

/** The link to a project. Its values are behind the `#`, which browsers do not send to the server. */
export function projectLink({ name, tempo, key, timeSignature }: NamedProject): string {
  const values = new URLSearchParams({ name, tempo: String(tempo), key: key ?? '', timeSignature });
  return `${window.location.origin}${paths.search('')}${PROJECT_LINK}${values.toString()}`;
}

/** Asks the visitor whether to open the project of a link. */
export async function openLinkedProject(hash: string): Promise<void> {
  const values = new URLSearchParams(hash.slice(PROJECT_LINK.length));
  const project = newProject({
    ...Object.fromEntries(values),
    id: undefined,
    tempo: Number(values.get('tempo') || Number.NaN),
  });
  const open = currentProject();
  const isOpen = open?.name === project.name && projectText(open) === projectText(project);
  if (isOpen) return;
  const sure = await askConfirm({
    title: `Open “${project.name}”?`,
    message: `Sounds play at ${projectText(project)}.${open ? ` It replaces “${open.name}”, which stays in your list.` : ''}`,
    confirmLabel: 'Open',
    cancelLabel: 'Not now',
  });
  if (sure) addProject(project);
}
