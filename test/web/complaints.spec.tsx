import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openAdmin, page, press, shown, startAdministration } from './support/admin.js';
import { leave } from './support/render.js';
import { exampleWith, type StubServer } from './support/server.js';

let server: StubServer;
beforeEach(() => void (server = startAdministration()));
afterEach(leave);

const subject = { kind: 'sample', id: 's1', title: 'Dawn', creatorName: 'Teo', path: null };
const item = {
  id: 'c1',
  kind: 'copyright',
  subject,
  status: 'open',
  filedAt: '2026-11-12T10:00:00.000Z',
  dueAt: '2026-11-20T10:00:00.000Z',
  isOverdue: true,
  isCounterNotice: false,
  isHeld: false,
} as const;

describe('complaints that wait', () => {
  it('[COMP-23, COMP-34] are answered with a reason, after a look at the mails', async () => {
    const complaint = exampleWith('GET /api/admin/complaints/:id', {
      ...item,
      said: 'It is mine',
      counter: null,
      complainant: {
        id: 'noor',
        userId: 'noor',
        name: 'Noor',
        email: null,
        filed: 1,
        rejected: 0,
        isBarred: false,
      },
      creator: { id: 'teo', name: 'Teo', handle: null, strikes: 0, complaints: 1, upheld: 0 },
      measures: ['none', 'refuse'],
      previews: [
        { title: 'Dawn', url: '/media/previews/a.mp3' },
        { title: 'Dusk', url: '/media/previews/b.mp3' },
      ],
    });
    const letter = { subject: 'Your complaint was answered', lines: ['We agree.'] };
    server
      .on('GET /api/admin/complaints', page(item))
      .on('GET /api/admin/complaints/c1', complaint)
      .on('POST /api/admin/complaints/c1/preview', { json: { complainant: letter, creator: letter } })
      .on('POST /api/admin/complaints/c1/answer', { json: { id: 'c1', status: 'upheld' } });
    await openAdmin('/admin/complaints');
    await shown('It is mine');
    await userEvent.selectOptions(screen.getByLabelText('Sound'), 'Dusk');
    expect(screen.getByLabelText('Preview of Dusk').getAttribute('src')).toBe('/media/previews/b.mp3');
    await userEvent.click(await screen.findByRole('radio', { name: /^Uphold The/ }));
    await press('Uphold');
    await shown('Say why: both read it.');
    await userEvent.selectOptions(screen.getByLabelText('What is done'), 'refuse');
    await userEvent.type(screen.getByLabelText('Reason'), 'It is');
    await press('Show the mails');
    expect(await screen.findAllByText('Your complaint was answered')).toHaveLength(2);
    await press('Uphold');
    await shown('Answered: “Dawn”');
    expect(server.seen('POST /api/admin/complaints/c1/answer')[0]?.body).toEqual({
      decision: 'upheld',
      measure: 'refuse',
      isStrike: false,
      reason: 'It is',
    });
  });
});
