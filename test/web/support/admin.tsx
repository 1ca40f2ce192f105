import { expect } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import AdminScreen from '../../../web/src/screens/admin/admin-screen.js';
import { pageWith } from './page.js';
import { NOOR, renderAt, signedInAs } from './render.js';
import { StubServer } from './server.js';
import { AreaNav } from '../../../web/src/staff/staff-nav.js';

const AdminPage = pageWith('admin', AdminScreen);

/** An administrator. */
export const PIA = { ...NOOR, id: 'pia', displayName: 'Pia Lund', roles: ['admin' as const] };

/** A list with a single page. */
export const page = (...items: object[]) => ({ json: { items, nextCursor: null } });

export const JUNIE = {
  id: 'junie',
  displayName: 'Junie Okafor',
  email: 'junie@paperround.fm',
  handle: null,
  status: 'applied',
  verified: false,
  formerName: null as string | null,
  reason: null,
  appliedAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
};

const PERSON = { id: 'noor', displayName: 'Noor Haddad', email: 'noor@haddad.fm', handle: null };

/** A request for a role for another person. */
export const ROLE_REQUEST = {
  id: 'role-1',
  status: 'waiting',
  work: { kind: 'grant-role', userId: 'dev', role: 'finance' },
  reason: 'Closes the months with us',
  requestedBy: 'pia',
  requestedByName: 'Pia Lund',
  requestedAt: '2026-11-20T08:00:00.000Z',
  beneficiary: 'dev',
  beneficiaryName: 'Dev Raman',
  lapsesAt: '2026-11-27T08:00:00.000Z',
  decidedBy: null,
  decidedByName: null,
  decidedAt: null,
  note: null,
};

/** Signs in an administrator, with a stubbed server that has some of everything. */
export function startAdministration(): StubServer {
  signedInAs(PIA);
  return new StubServer({
    'GET /api/admin/creator-applications': ({ query }) =>
      query.get('status') === 'applied' ? page(JUNIE) : page({ ...JUNIE, status: query.get('status') }),
    'GET /api/admin/approvals': page(),
    'GET /api/admin/audit': page(),
    'GET /api/admin/staff': { json: { items: [] } },
    'GET /api/reports': page(),
    'GET /api/admin/jobs': { json: { kinds: [], running: [], items: [] } },
    'GET /api/admin/mails': page(),
    'GET /api/admin/deferred-returns': page(),
    'GET /api/admin/people': ({ query }) => ({
      json: { items: /noor/i.test(query.get('q') ?? '') ? [PERSON] : [] },
    }),
    'GET /dev/info': { json: { stripeApiBase: null } },
    'POST /api/auth/sign-out': { status: 204 },
  });
}

export async function openAdmin(address = '/admin') {
  return act(async () => {
    const rendered = renderAt(
      address,
      <>
        <AreaNav area="admin" />
        <Routes>
          <Route path="/admin/*" element={<AdminPage />} />
        </Routes>
      </>,
    );
    // Waits for the page's own module.
    await new Promise((resolve) => setTimeout(resolve));
    return rendered;
  });
}

export const shown = (text: string) => waitFor(() => expect(document.body.textContent).toContain(text));

export const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }));
