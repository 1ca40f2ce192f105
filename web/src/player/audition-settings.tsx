import { useState } from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { askSimilar } from '../samples/similar-request.js';
import { Button } from '../ui/button.js';
import { Checkbox } from '../ui/forms/field.js';
import {
  PROJECT_BPM_MAX,
  PROJECT_BPM_MIN,
  changeAudition,
  projectBpmOf,
  useAudition,
  useTempoOf,
} from './audition.js';
import { KeyCircle } from './key-circle.js';

function TempoMatch({ bpm }: { bpm: number }) {
  const settings = useAudition();
  const [text, setText] = useState(String(settings.projectBpm));
  const playsAt = useTempoOf({ bpm });
  const apply = () => {
    const projectBpm = projectBpmOf(Number.parseInt(text, 10));
    setText(String(projectBpm));
    changeAudition({ projectBpm });
  };
  return (
    <div>
      <div className="flex items-center gap-3">
        <Checkbox
          className="min-h-11 flex-1"
          label="Play any sound at my BPM"
          checked={settings.matchesTempo}
          onChange={(event) => changeAudition({ matchesTempo: event.target.checked })}
        />
        <input
          type="number"
          aria-label="My BPM"
          className="field w-19"
          min={PROJECT_BPM_MIN}
          max={PROJECT_BPM_MAX}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={apply}
          onKeyDown={(event) => event.key === 'Enter' && apply()}
        />
      </div>
      {settings.matchesTempo && (
        <p role="status" className="text-sm text-muted">
          {bpm === 0
            ? 'The tempo of this sound is unknown. It plays at its own tempo.'
            : `${bpm} BPM plays at ${playsAt} BPM. The pitch stays the same.`}
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
      <TempoMatch bpm={track.bpm} />
      {track.key && <KeyCircle musicalKey={track.key} onFollow={onFollow} />}
      <Button
        className="w-full"
        onClick={() => {
          onClose();
          askSimilar(track);
        }}
      >
        Similar sounds
      </Button>
    </>
  );
}
