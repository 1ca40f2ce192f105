import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { query } from '../api/api.js';
import { useDebouncedValue } from '../ui/hooks/use-debounced-value.js';
import { isComposing } from '../ui/forms/composing.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { type Command, commandsFor } from './commands.js';
import type { StaffArea } from './staff-area.js';
import { SUGGESTIONS_FROM_LETTERS, TYPING_PAUSE_MS } from './search-box.js';

const GROUPS = { search: 'Search', act: 'Act', go: 'Go to' } as const;

/** Commands for the typed text: places, actions, and search results. */
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

/** One list of places, search results and actions, for use by keyboard alone. */
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
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Its keys are pressed in the field.
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
