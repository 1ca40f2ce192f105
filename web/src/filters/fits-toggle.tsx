import { Check } from 'lucide-react';
import { openProjectPanel } from '../project/panel-request.js';
import { useProject } from '../project/project.js';
import { Chip } from '../ui/badge.js';
import type { Facts } from './facts.js';

/** The button for the filter by the open project. Without a project, it opens the panel to set one. */
export function FitsToggle(props: {
  filters: Pick<Facts, 'fits'>;
  change: (part: Pick<Facts, 'fits'>) => void;
}) {
  const { filters, change } = props;
  const project = useProject();
  return (
    <Chip
      className="min-h-10 max-w-60"
      pressed={project ? filters.fits : undefined}
      data-opens-project
      onClick={() => (project ? change({ fits: !filters.fits }) : openProjectPanel())}
    >
      {filters.fits && <Check size={15} className="flex-none" aria-hidden="true" />}
      <span className="truncate leading-normal">Fits {project?.name ?? 'my project'}</span>
    </Chip>
  );
}
