import { deviceNow } from '../clock.js';
import type { ArchiveAnswer, ArchiveStatus, LeftOut } from '../../../application/purchases/contract.js';
import { listed } from '../ui/format.js';
import { api } from '../api/api.js';
import { ApiProblem } from '../api/transport/http.js';

const FIRST_LOOK_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export type Seen = ArchiveStatus['status'] | 'unanswered';

/**
 * Polls the status of an archive until the browser has it or the download breaks off. A poll without an answer does not
 * end the polling.
 * @param onSeen called after each attempt to read the status
 * @returns undefined if the archive expires or the session ends first
 */
export async function watchArchive(
  { id, expiresAt }: Pick<ArchiveAnswer, 'id' | 'expiresAt'>,
  onSeen: (seen: Seen) => void,
): Promise<'sent' | 'broken' | undefined> {
  for (let wait = FIRST_LOOK_MS; deviceNow() < Date.parse(expiresAt); wait *= 1.5) {
    await pause(Math.min(wait, LONGEST_PAUSE_MS));
    try {
      const asked = { params: { id }, limitMs: LONGEST_PAUSE_MS };
      const { status } = await api('GET /api/library/archives/:id', asked);
      onSeen(status);
      if (status === 'sent' || status === 'broken') return status;
    } catch (error) {
      // The archive has expired, or the session has ended.
      if (error instanceof ApiProblem && [401, 404].includes(error.status)) return undefined;
      onSeen('unanswered');
    }
  }
  return undefined;
}

const PARTS = { sound: 'the sound', midi: 'the MIDI', stems: 'the stems' } as const;
const REASONS = {
  missing: 'not there',
  'taken-down': 'taken down',
  'needs-studio': 'Studio plan only',
} as const;

export function leftOutSentence(leftOut: readonly LeftOut[]): string {
  const groups = new Map<string, { what: LeftOut['what']; reason: LeftOut['reason']; titles: string[] }>();
  for (const { what, reason, title } of leftOut) {
    const group = groups.get(`${what} ${reason}`);
    if (group) group.titles.push(title);
    else groups.set(`${what} ${reason}`, { what, reason, titles: [title] });
  }
  if (groups.size === 0) return '';
  const parts = Array.from(
    groups.values(),
    ({ what, reason, titles }) => `${PARTS[what]} of ${listed(titles)} (${REASONS[reason]})`,
  );
  return ` Not included: ${parts.join(', ')}.`;
}
