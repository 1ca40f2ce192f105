import type { Sample } from '../../../application/catalogue/contract.js';
import { askSimilar } from '../samples/similar-request.js';
import { Button } from '../ui/button.js';
import { Checkbox } from '../ui/forms/field.js';
import { fitLabelOf } from '../project/fit-label.js';
import { ProjectButton } from '../project/project-button.js';
import { useProject } from '../project/project.js';
import { changeAudition, useAudition } from './audition.js';
import { KeyCircle } from './key-circle.js';

export default function AuditionSettings(props: {
  track: Sample;
  onClose: () => void;
  /** Called when the visitor follows a link to the sounds in a musical key. */
  onFollow?: () => void;
  /** Called before the panel of the project opens. */
  onProject?: () => void;
}) {
  const { track, onClose, onFollow, onProject } = props;
  const { playsOn } = useAudition();
  const project = useProject();
  return (
    <>
      <Checkbox
        className="min-h-11"
        label={
          <>
            Audition mode <span className="text-muted">– play on at the end</span>
          </>
        }
        checked={playsOn}
        onChange={(event) => changeAudition({ playsOn: event.target.checked })}
      />
      <ProjectButton className="w-full" onPress={onProject} />
      {project && (
        <p role="status" className="text-sm text-muted">
          {fitLabelOf(track, project).detail}
        </p>
      )}
      <Button
        className="w-full"
        onClick={() => {
          onClose();
          askSimilar(track);
        }}
      >
        Similar sounds
      </Button>
      {track.key && <KeyCircle musicalKey={track.key} onFollow={onFollow} />}
    </>
  );
}
