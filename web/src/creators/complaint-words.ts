import type { Answer } from '../api/endpoints.js';

const COMPLAINT = '/complaint';

export const complaintPaths = {
  file: (about = '') => (about ? `${COMPLAINT}?${new URLSearchParams({ about })}` : COMPLAINT),
  one: (id: string, token = '') => `${COMPLAINT}/${id}${token && `?token=${token}`}`,
  transparency: `${COMPLAINT}/transparency`,
};

export type OwnComplaint = Answer<'GET /api/complaints/:id'>;

export const KINDS: Record<OwnComplaint['kind'], { label: string; hint: string }> = {
  copyright: {
    label: 'Copyright',
    hint: 'It uses my work, or the work of a person I represent, without a licence.',
  },
  trademark: { label: 'Trade mark', hint: 'It uses a name or sign that is protected.' },
  privacy: { label: 'Privacy', hint: 'My voice, name or picture is in it without my consent.' },
  illegal: { label: 'Against the law', hint: 'What it says or calls for is forbidden.' },
  defective: { label: 'Broken', hint: 'The file is damaged, silent or cut off.' },
  misleading: { label: 'Misleading', hint: 'It is not what its title, tempo or key says.' },
  origin: { label: 'False origin', hint: 'It was not made as its creator states, for example with AI.' },
  other: { label: 'Something else', hint: 'Say what.' },
};

export const STATUSES = {
  unconfirmed: { label: 'Not confirmed', tone: 'neutral' },
  open: { label: 'Waits for an answer', tone: 'warn' },
  upheld: { label: 'Upheld', tone: 'ok' },
  partly: { label: 'Upheld in part', tone: 'ok' },
  rejected: { label: 'Rejected', tone: 'neutral' },
  withdrawn: { label: 'Withdrawn', tone: 'neutral' },
  lapsed: { label: 'Never confirmed', tone: 'neutral' },
} as const satisfies Record<OwnComplaint['status'], object>;

export const titleOf = ({ subject: { kind, title } }: Pick<OwnComplaint, 'subject'>): string =>
  kind === 'creator' ? `${title}’s profile` : `“${title}”`;

export function measureOf({ measure, subject }: Pick<OwnComplaint, 'measure' | 'subject'>): string {
  const name = titleOf({ subject });
  switch (measure) {
    case 'none':
      return `Nothing was removed from ${name}.`;
    case 'refuse':
      return `${name} is no longer sold. Licences that were bought remain valid.`;
    case 'take down':
      return `${name} was taken down. Its buyers got their credits back.`;
    case 'return':
      return `${name} stays. Its buyers got their credits back.`;
  }
}

export const mayObject = ({ side, counter }: OwnComplaint, nowMs: number): boolean =>
  side === 'about' && counter?.status === 'possible' && Date.parse(counter.until) > nowMs;
