import { useState } from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { PROJECT_TEMPO_MAX, PROJECT_TEMPO_MIN } from '../../../application/catalogue/values.js';
import { askSimilar } from '../samples/similar-request.js';
import { Button } from '../ui/button.js';
import { Checkbox } from '../ui/forms/field.js';
import { newProject, openProject, projectTempoOf, useProject } from '../project/project.js';
import { changeAudition, useAudition } from './audition.js';
import { useHeard } from './heard.js';
import { KeyCircle } from './key-circle.js';

function TempoMatch({ track }: { track: Sample }) {
  const { bpm } = track;
  const project = useProject();
  const [text, setText] = useState(String(project?.tempo ?? newProject().tempo));
  const heard = useHeard(track);
  const apply = () => {
    const tempo = projectTempoOf(Number.parseFloat(text));
    setText(String(tempo));
    if (project) openProject({ ...project, tempo });
  };
  return (
    <div>
      <div className="flex items-center gap-3">
        <Checkbox
          className="min-h-11 flex-1"
          label="Play any sound at my BPM"
          checked={project !== null}
          onChange={(event) => openProject(event.target.checked ? newProject(Number.parseFloat(text)) : null)}
        />
        <input
          type="number"
          aria-label="My BPM"
          className="field w-19"
          min={PROJECT_TEMPO_MIN}
          max={PROJECT_TEMPO_MAX}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={apply}
          onKeyDown={(event) => event.key === 'Enter' && apply()}
        />
      </div>
      {project && (
        <p role="status" className="text-sm text-muted">
          {bpm === 0
            ? 'The tempo of this sound is unknown. It plays at its own tempo.'
            : `${bpm} BPM plays at ${heard?.bpm ?? bpm} BPM.${heard?.semitones ? '' : ' The pitch stays the same.'}`}
        </p>
      )}
    </div>
  );
}

export default function AuditionSettings(props: {
  track: Sample;
  onClose: () => void;
  /** Called when the visitor follows the link of a key to another page. */
  onFollow?: () => void;
}) {
  const { track, onClose, onFollow } = props;
  const { playsOn } = useAudition();
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
      <TempoMatch track={track} />
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
