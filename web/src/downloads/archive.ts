import { deviceNow } from '../clock.js';
import type { ArchiveAnswer, ArchiveStatus, LeftOut } from '../../../application/purchases/contract.js';
import { api } from '../api/api.js';
import { type Delivery, press } from './deliver.js';

const FIRST_LOOK_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** If a download has not begun after this time, the visitor cancelled it, or the browser cannot reach the server. */
const BEGINS_WITHIN_MS = 30_000;
/** The outcome counts as unknown after this many polls without an answer. */
const UNANSWERED_LOOKS = 3;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Seen = ArchiveStatus['status'] | 'unknown';

async function statusAfter(status: Seen, answer: ArchiveAnswer, until: number): Promise<Seen> {
  let unanswered = 0;
  for (let wait = FIRST_LOOK_MS; deviceNow() < until; wait *= 1.5) {
    await pause(Math.min(wait, LONGEST_PAUSE_MS));
    const asked = { params: { id: answer.id }, limitMs: LONGEST_PAUSE_MS };
    const seen = await api('GET /api/library/archives/:id', asked).catch(() => null);
    unanswered = seen ? 0 : unanswered + 1;
    if (seen && seen.status !== status) return seen.status;
    if (unanswered === UNANSWERED_LOOKS) return 'unknown';
  }
  return status;
}

async function arrivalOf(answer: ArchiveAnswer, from: Seen): Promise<Delivery> {
  const last = from === 'sending' ? await statusAfter(from, answer, Date.parse(answer.expiresAt)) : from;
  if (last === 'sent') return 'saved';
  return last === 'broken' ? 'failed' : 'handed';
}

/**
 * Delivers one archive, which the browser writes to disk while it arrives. Returns null if the download did not begin.
 * `underWay`: the server is still sending. `arrived`: the outcome, or `handed` if the server does not know the outcome.
 */
export async function deliverArchive(sampleIds: string[], name?: string) {
  const answer = await api('POST /api/library/archives', { body: { sampleIds, name } });
  press(answer.url, answer.filename);
  const status = await statusAfter('waiting', answer, deviceNow() + BEGINS_WITHIN_MS);
  if (status === 'waiting') return null;
  return { answer, underWay: status === 'sending', arrived: arrivalOf(answer, status) };
}

const PARTS = { sound: 'the sound', midi: 'the MIDI', stems: 'the stems' } as const;
const REASONS = {
  missing: 'not there',
  'taken-down': 'taken down',
  'needs-studio': 'Studio plan only',
} as const;
const NAMED = 2;

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

function listed(titles: readonly string[]): string {
  const more = titles.length - NAMED;
  return more > 0 ? `${titles.slice(0, NAMED).join(', ')} and ${more} more` : titles.join(' and ');
}
