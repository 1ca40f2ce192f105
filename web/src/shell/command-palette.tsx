import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { query } from '../api/api.js';
import { useDebouncedValue } from '../ui/hooks/use-debounced-value.js';
import { isComposing } from '../ui/forms/list-keys.js';
import { Dialog } from '../ui/overlays/dialog.js';
import type { StaffArea } from './staff-area.js';
import { SUGGESTIONS_FROM_LETTERS, TYPING_PAUSE_MS } from './search-box.js';
import { auditionSettings, changeAudition } from '../player/audition.js';
import { pressInPlayer } from '../player/keyboard.js';
import { player } from '../player/player.js';
import { paths } from '../paths.js';
import { openProjectPanel } from '../project/panel-request.js';
import { currentProject, openProject } from '../project/project.js';
import { askSimilar } from '../samples/similar-request.js';
import { leave } from '../session/leave.js';
import { currentSession } from '../session/session.js';
import { openSignIn } from '../session/sign-in-request.js';
import { staffPagesOf } from '../staff/pages.js';
import { tryInWorkbench } from '../workbench/try-sound.js';
import { currentTheme, setTheme } from '../ui/theme.js';

export interface Command {
  id: string;
  group: 'search' | 'act' | 'go';
  label: string;
  note?: string;
  run: () => void;
}

const PLACES = [
  ['Sounds', paths.sounds],
  ['Discover', paths.discover],
  ['Collections', paths.collections],
  ['Swipe', paths.swipe],
  ['Workbench', paths.workbench],
  ['Saved Content', paths.librarySaved],
  ['Downloaded Content', paths.libraryDownloads],
  ['Settings', paths.settings],
  ['Credits and plan', paths.credits],
  ['Creator Dashboard', paths.dashboard],
  ['Home', paths.home],
] as const;

function actions(showShortcuts: () => void): Omit<Command, 'group'>[] {
  const { track, currentlyPlaying } = player.getState();
  const { playsOn } = auditionSettings();
  const project = currentProject();
  const dark = currentTheme() === 'dark';
  const signedIn = currentSession().status === 'signed-in';
  return [
    ...(track
      ? [
          {
            id: 'play',
            label: `${currentlyPlaying ? 'Pause' : 'Play'} ${track.title}`,
            note: 'Space',
            run: () => player.toggle(),
          },
          {
            id: 'workbench',
            label: `Try ${track.title} in the workbench`,
            note: 'W',
            run: () => void tryInWorkbench(track),
          },
          { id: 'similar', label: `Sounds similar to ${track.title}`, run: () => askSimilar(track) },
          { id: 'save', label: `Save ${track.title}`, note: 'S', run: () => pressInPlayer('save') },
          {
            id: 'download',
            label: `Download ${track.title}`,
            note: 'D',
            run: () => pressInPlayer('download'),
          },
        ]
      : []),
    {
      id: 'audition',
      label: `Audition mode ${playsOn ? 'off' : 'on'}`,
      note: 'A',
      run: () => changeAudition({ playsOn: !playsOn }),
    },
    { id: 'project', label: 'My project: tempo, key and signature', run: openProjectPanel },
    ...(project
      ? [{ id: 'no-project', label: `Close project ${project.name}`, run: () => openProject(null) }]
      : []),
    { id: 'theme', label: `${dark ? 'Light' : 'Dark'} theme`, run: () => setTheme(dark ? 'light' : 'dark') },
    { id: 'shortcuts', label: 'Keyboard shortcuts', note: '?', run: showShortcuts },
    signedIn
      ? { id: 'sign-out', label: 'Sign out', run: leave }
      : { id: 'sign-in', label: 'Sign in', run: () => openSignIn() },
  ];
}

const placesIn = (area: StaffArea | undefined): readonly (readonly [label: string, to: string])[] =>
  area
    ? [
        ...staffPagesOf(area).map(({ label, to }) => [label, to] as const),
        ['Back to the shop', paths.discover],
        ['Settings', paths.settings],
      ]
    : PLACES;

/** The commands whose label contains every typed word. A staff area has its own places and no search of the shop. */
function commandsFor(
  typed: string,
  by: { go: (to: string) => void; showShortcuts: () => void; area?: StaffArea | undefined },
): Command[] {
  const { go, showShortcuts, area } = by;
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ label }: { label: string }) => words.every((word) => label.toLowerCase().includes(word));
  const places = placesIn(area).map(([label, to]) => ({ id: to, label, run: () => go(to) }));
  const search: Command[] =
    typed && !area
      ? [
          {
            id: 'search',
            group: 'search',
            label: `Search for “${typed}”`,
            run: () => go(paths.search(typed)),
          },
        ]
      : [];
  return [
    ...places.filter(matches).map((place) => ({ ...place, group: 'go' as const })),
    ...actions(showShortcuts)
      .filter(matches)
      .map((action) => ({ ...action, group: 'act' as const })),
    ...search,
  ];
}

const GROUPS = { search: 'Search', act: 'Act', go: 'Go to' } as const;

function useCommands(
  text: string,
  extra: { showShortcuts: () => void; area: StaffArea | undefined },
): Command[] {
  const navigate = useNavigate();
  const typed = text.trim();
  const settled = useDebouncedValue(typed, TYPING_PAUSE_MS);
  const isLong = (query: string) => !extra.area && query.length >= SUGGESTIONS_FROM_LETTERS;
  const enabled = isLong(settled);
  const { data } = useQuery({
    ...query('GET /api/search/suggestions', { query: { q: settled } }),
    enabled,
    refetchInterval: false,
  });
  const found = enabled && isLong(typed) ? (data?.items ?? []) : [];
  const go = (to: string) => void navigate(to);
  return [
    ...commandsFor(typed, { go, ...extra }),
    ...found.map(({ kind, label, href, why }) => ({
      id: href,
      group: 'search' as const,
      label,
      note: why ?? kind,
      run: () => go(href),
    })),
  ];
}

export default function CommandPalette(props: {
  onClose: () => void;
  showShortcuts: () => void;
  area?: StaffArea | undefined;
}) {
  const { onClose, showShortcuts, area } = props;
  const listId = useId();
  const name = area ? 'Go to or act' : 'Go to, search or act';
  const [text, setText] = useState('');
  const [active, setActive] = useState<string | null>(null);
  const commands = useCommands(text, { showShortcuts, area });
  const at = Math.max(
    0,
    commands.findIndex(({ id }) => id === active),
  );
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const steer = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step && commands.length > 0) {
      event.preventDefault();
      const next = (at + step + commands.length) % commands.length;
      setActive(commands[next]?.id ?? null);
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(commands[at]);
    }
  };
  return (
    <Dialog open onClose={onClose} title="Commands" width={560}>
      <input
        data-autofocus
        role="combobox"
        aria-label={name}
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={commands.length > 0 ? `${listId}-${at}` : undefined}
        autoComplete="off"
        placeholder={name}
        className="field w-full"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(null);
        }}
        onKeyDown={steer}
      />
      <ul
        id={listId}
        role="listbox"
        aria-label="Commands"
        className="mt-3 h-80 list-none overflow-y-auto p-0"
      >
        {commands.map((command, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- The field handles the keys.
          <li
            key={command.id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => run(command)}
            className="flex h-11 cursor-pointer items-center gap-3 px-3 hover:bg-hover aria-selected:bg-hover"
          >
            <span className="w-14 flex-none text-xs text-faint">{GROUPS[command.group]}</span>
            <span className="min-w-0 flex-1 truncate">{command.label}</span>
            {command.note && <span className="text-xs text-faint">{command.note}</span>}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
