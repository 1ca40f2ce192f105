import { auditionSettings, changeAudition } from '../player/audition.js';
import { pressInPlayer } from '../player/player-actions.js';
import { player } from '../player/player.js';
import { paths } from '../paths.js';
import { askSimilar } from '../samples/similar-request.js';
import { leave } from '../session/leave.js';
import { currentSession } from '../session/session.js';
import { openSignIn } from '../session/sign-in-request.js';
import { STAFF_PAGES } from '../staff/pages.js';
import { currentTheme, setTheme } from '../ui/theme.js';
import type { StaffArea } from './staff-area.js';

export interface Command {
  id: string;
  group: 'search' | 'act' | 'go';
  label: string;
  /** The kind of the command, or its key. */
  note?: string;
  run: () => void;
}

const PLACES = [
  ['Sounds', paths.sounds],
  ['Discover', paths.discover],
  ['Collections', paths.collections],
  ['Swipe', paths.swipe],
  ['Saved Content', paths.librarySaved],
  ['Downloaded Content', paths.libraryDownloads],
  ['Settings', paths.settings],
  ['Credits and plan', paths.credits],
  ['Creator Dashboard', paths.dashboard],
  ['Home', paths.home],
] as const;

function actions(showShortcuts: () => void): Omit<Command, 'group'>[] {
  const { track, currentlyPlaying } = player.getState();
  const { playsOn, matchesTempo } = auditionSettings();
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
    {
      id: 'tempo',
      label: matchesTempo ? 'Play sounds at their own tempo' : 'Play any sound at my BPM',
      run: () => changeAudition({ matchesTempo: !matchesTempo }),
    },
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
        ...STAFF_PAGES[area].map(({ label, to }) => [label, to] as const),
        ['Back to the shop', paths.discover],
        ['Settings', paths.settings],
      ]
    : PLACES;

/**
 * The commands whose label contains every typed word; a search for the text itself comes last. A staff area has its
 * own places, and no search of the shop.
 */
export function commandsFor(
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
