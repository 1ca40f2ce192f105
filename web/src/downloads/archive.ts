import { deviceNow } from '../clock.js';
import type { ArchiveAnswer, ArchiveStatus, LeftOut } from '../../../application/purchases/contract.js';
import { api } from '../api/api.js';
import { press } from './deliver.js';

const FIRST_LOOK_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** If the browser has not begun by then, the visitor cancelled it, or it cannot reach the server. */
const BEGINS_WITHIN_MS = 30_000;

/** An archive that the browser takes. */
export interface ArchiveOnItsWay {
  answer: ArchiveAnswer;
  /** More of it is still to come. */
  underWay: boolean;
  /** True once the browser has all of it, false if it was cancelled or the outcome is unknown. */
  arrived: Promise<boolean>;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The archive's progress; the last known if the server does not answer. */
async function look(answer: ArchiveAnswer, last: ArchiveStatus['status']): Promise<ArchiveStatus['status']> {
  return api('GET /api/library/archives/:id', { params: { id: answer.id } }).then(
    ({ status }) => status,
    () => last,
  );
}

async function follow(answer: ArchiveAnswer, from: ArchiveStatus['status']): Promise<boolean> {
  const until = Date.parse(answer.expiresAt);
  let status = from;
  for (let wait = FIRST_LOOK_MS; status === 'sending' && deviceNow() < until; wait *= 1.5) {
    await pause(Math.min(wait, LONGEST_PAUSE_MS));
    status = await look(answer, status);
  }
  return status === 'sent';
}

/**
 * Has the server make one archive of samples, which the browser writes to disk as it comes, whatever its size. Only
 * the server knows how much of it the browser took.
 * @returns once the browser has begun to take it, or null if it did not
 * @throws ApiProblem
 */
export async function deliverArchive(sampleIds: string[], name?: string): Promise<ArchiveOnItsWay | null> {
  const answer = await api('POST /api/library/archives', { body: { sampleIds, name } });
  press(answer.url, answer.filename);
  const givenUpAt = deviceNow() + BEGINS_WITHIN_MS;
  let status: ArchiveStatus['status'] = 'waiting';
  for (let wait = FIRST_LOOK_MS; status === 'waiting'; wait *= 1.5) {
    if (deviceNow() > givenUpAt) return null;
    await pause(Math.min(wait, LONGEST_PAUSE_MS));
    status = await look(answer, status);
  }
  return { answer, underWay: status === 'sending', arrived: follow(answer, status) };
}

const PARTS = { sound: 'the sound', midi: 'the MIDI', stems: 'the stems' } as const;
const REASONS = {
  missing: 'not there',
  'taken-down': 'taken down',
  'needs-studio': 'Studio plan only',
} as const;
const NAMED = 2;

/** What an archive leaves out, as one short sentence; empty if it is complete. */
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
