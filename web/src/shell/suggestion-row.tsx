import { clsx } from 'clsx';
import { AudioLines, Layers, Tag, User } from 'lucide-react';
import { query } from '../api/api.js';
import { queryClient } from '../api/query-client.js';
import type { Suggestion } from '../../../application/catalogue/contract.js';
import { isSounding, player, usePlayback } from '../player/player.js';
import { PauseIcon, PlayIcon } from '../ui/marks.js';
import { notifyError } from '../ui/overlays/toast.js';

const ICONS = { sample: AudioLines, pack: Layers, creator: User, genre: Tag } as const;

/** The label with the typed words marked, each at the start of a word, as the search matches them. */
function Matched({ label, typed }: { label: string; typed: string }) {
  const words = typed.split(/[\s-]+/).filter(Boolean);
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}])(${escaped.join('|')})`, 'giu');
  if (words.length === 0) return label;
  return label.split(pattern).map((part, index) =>
    index % 2 === 1 ? (
      <mark key={index} className="bg-transparent font-semibold text-accent-text">
        {part}
      </mark>
    ) : (
      part
    ),
  );
}

export function playSuggested(sampleId: string): void {
  queryClient
    .fetchQuery(query('GET /api/samples/:id', { params: { id: sampleId } }))
    .then((sample) => player.play(sample))
    .catch(notifyError);
}

/** Plays a suggested sample and leaves the suggestions open. The keyboard plays it with Shift and Enter. */
function PlaySpot({ sampleId }: { sampleId: string }) {
  const Icon = isSounding(usePlayback(sampleId)) ? PauseIcon : PlayIcon;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- The field handles the keys.
    <span
      title="Play (Shift+Enter)"
      className="play-button -mx-2.25 hover:bg-text hover:text-page"
      onClick={(event) => {
        event.stopPropagation();
        playSuggested(sampleId);
      }}
    >
      <Icon size={14} />
    </span>
  );
}

export default function SuggestionRow(props: {
  suggestion: Suggestion;
  typed: string;
  id: string;
  active: boolean;
  /** Whether this suggestion is the first of its kind, below suggestions of another kind. */
  startsGroup: boolean;
  onPick: () => void;
}) {
  const { suggestion, typed, id, active, startsGroup, onPick } = props;
  const Icon = ICONS[suggestion.kind];
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- The field handles the keys.
    <li
      role="option"
      id={id}
      aria-selected={active}
      aria-keyshortcuts={suggestion.sampleId && 'Shift+Enter'}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPick}
      className={clsx(
        'flex h-11 cursor-pointer items-center gap-3 px-4 hover:bg-hover aria-selected:bg-hover',
        startsGroup && 'border-t border-line',
      )}
    >
      {suggestion.sampleId ? (
        <PlaySpot sampleId={suggestion.sampleId} />
      ) : (
        <Icon size={18} className="text-muted" />
      )}
      <span className="min-w-0 flex-1 truncate">
        <Matched label={suggestion.label} typed={typed} />
      </span>
      <span className="text-xs text-faint">{suggestion.why ?? suggestion.kind}</span>
    </li>
  );
}
