import { useState } from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { askSimilar } from '../samples/similar-request.js';
import { Button } from '../ui/button.js';
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
        <label className="flex min-h-11 flex-1 items-center gap-3">
          <input
            type="checkbox"
            className="checkbox"
            checked={settings.matchesTempo}
            onChange={(event) => changeAudition({ matchesTempo: event.target.checked })}
          />
          Play any sound at my BPM
        </label>
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

export function AuditionSettings(props: {
  track: Sample;
  onClose: () => void;
  /** Called when the visitor follows a key of the circle to another page. */
  onFollow?: () => void;
}) {
  const { track, onClose, onFollow } = props;
  const { playsOn } = useAudition();
  return (
    <>
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          className="checkbox"
          checked={playsOn}
          onChange={(event) => changeAudition({ playsOn: event.target.checked })}
        />
        <span>
          Audition mode <span className="text-muted">– play on at the end</span>
        </span>
      </label>
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

export default function AuditionPanel(props: { track: Sample; id: string; onClose: () => void }) {
  const { track, id, onClose } = props;
  return (
    <div
      id={id}
      role="group"
      aria-label="Audition"
      className="popover absolute -right-2 bottom-[calc(100%+28px+var(--news,0px))] grid w-90 gap-3 px-5 pt-4 pb-5 accent-mark"
    >
      <AuditionSettings track={track} onClose={onClose} />
    </div>
  );
}
