import { ChevronDown } from 'lucide-react';
import { KeyLabel } from '../ui/sound/key-tempo.js';
import { toggleProjectPanel, useProjectPanel } from './panel-request.js';
import { useProject } from './project.js';

/** Shows the open project. A press opens or closes the panel "My project". */
export function ProjectButton(props: {
  className: string;
  /** Called before the panel opens, so that another popup can make room. */
  onPress?: () => void;
}) {
  const { className, onPress } = props;
  const project = useProject();
  const isOpen = useProjectPanel() !== null;
  return (
    <button
      type="button"
      data-opens-project
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      className={`flex min-h-11 min-w-0 items-center gap-2.5 border border-strong px-3 py-1 text-left hover:bg-hover aria-expanded:bg-hover ${className}`}
      onClick={() => {
        onPress?.();
        toggleProjectPanel();
      }}
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{project?.name ?? 'My project'}</span>
        <span className="narrow block truncate text-xs text-muted">
          {project ? (
            <>
              <b>{project.tempo}</b> BPM {project.key && <KeyLabel musicalKey={project.key} />}{' '}
              {project.timeSignature}
            </>
          ) : (
            'Set tempo and key'
          )}
        </span>
      </span>
      <ChevronDown size={16} aria-hidden="true" className={isOpen ? 'rotate-180' : undefined} />
    </button>
  );
}
