import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { TaxDetails } from '../../application/payouts/tax-contract.js';
import { TaxDetailsPanel } from '../../web/src/screens/earnings/tax-details.js';
import { leave, NOOR, renderAt, signedInAs } from './support/render.js';
import { exampleWith, refused, StubServer } from './support/server.js';

const NOTHING: TaxDetails = {
  stated: null,
  fromProvider: null,
  report: 'unknown',
  missing: ['country'],
  changedAt: null,
};
const FROM_STRIPE = {
  kind: 'person' as const,
  legalName: null,
  street: null,
  city: null,
  region: null,
  postalCode: null,
  country: 'DE',
  birthDate: null,
  hasTaxId: true,
};

let server: StubServer;
let details: TaxDetails;
let hasMonths: boolean;
beforeEach(() => {
  details = NOTHING;
  hasMonths = true;
  server = new StubServer({
    'GET /api/creator/tax-details': () => ({ json: details }),
    'GET /api/creator/monthly-statements': () => (hasMonths ? {} : { json: { items: [] } }),
    'GET /api/stripe/connect/countries': { json: { home: 'US', items: ['US', 'DE'] } },
    'PUT /api/creator/tax-details': () => ({ json: details }),
    'POST /api/auth/sign-out': { status: 204 },
  });
  signedInAs({ ...NOOR, isCreator: true });
});
afterEach(leave);

const open = () => renderAt('/earnings', <TaxDetailsPanel />);
const panel = async () => within(await screen.findByRole('region', { name: 'Tax details' }));
const type = async (label: string | RegExp, text: string) => {
  const input = screen.getByLabelText(label);
  await userEvent.clear(input);
  await userEvent.type(input, text);
};

it('[BOOK-830] says why, names what is missing, begins with what Stripe knows, and sends what was entered', async () => {
  details = { ...NOTHING, fromProvider: FROM_STRIPE, report: 'DAC7', missing: ['name', 'address', 'tax id'] };
  open();
  const shown = await panel();
  expect(shown.getByText(/The law of the European Union \(DAC7\) asks us/)).toBeTruthy();
  expect(shown.getByText('name, address, tax id')).toBeTruthy();
  await userEvent.click(shown.getByRole('button', { name: 'Add' }));
  await screen.findByRole('dialog', { name: 'Tax details' });
  expect(screen.getByLabelText<HTMLSelectElement>('Country of tax residence').value).toBe('DE');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Say your legal name')).toBeTruthy();
  expect(server.seen('PUT /api/creator/tax-details')).toEqual([]);
  await type('First and last name', 'Noor Haddad');
  await type('Street and number', 'Weg 1');
  await type('City', 'Bonn');
  await type('Postal code', '53111');
  await type('Date of birth', '1990-02-03');
  await type('Tax number', '12');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('A tax number has 4 to 20 letters and digits')).toBeTruthy();
  await type('Tax number', '86 095 742 719');
  server.on('PUT /api/creator/tax-details', refused('InternalError'));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(server.seen('PUT /api/creator/tax-details')).toHaveLength(1));
  // A refusal leaves the dialog and what was entered.
  server.on('PUT /api/creator/tax-details', () => exampleWith('PUT /api/creator/tax-details', {}));
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.seen('PUT /api/creator/tax-details').at(-1)?.body).toEqual({
    kind: 'person',
    legalName: 'Noor Haddad',
    street: 'Weg 1',
    city: 'Bonn',
    region: null,
    postalCode: '53111',
    country: 'DE',
    birthDate: '1990-02-03',
    registrationNumber: null,
    taxIds: [{ country: 'DE', number: '86095742719' }],
  });
});

const STATED = {
  kind: 'company' as const,
  legalName: 'Noor Ltd',
  street: 'Weg 1',
  city: 'Bonn',
  region: null,
  postalCode: '53111',
  country: 'DE',
  birthDate: null,
  registrationNumber: 'HRB 1',
  taxIds: [{ country: 'DE', ending: '719' }],
  vatId: '976',
};

it('[BOOK-830, BOOK-834] keeps stored numbers while their fields are empty, deletes a VAT id when asked, and asks companies for their registration', async () => {
  details = {
    ...NOTHING,
    stated: STATED,
    report: 'DAC7',
    missing: [],
    changedAt: '2026-11-20T12:00:00.000Z',
  };
  open();
  const shown = await panel();
  expect(shown.getByText('Complete')).toBeTruthy();
  await userEvent.click(shown.getByRole('button', { name: 'Change' }));
  expect(await screen.findByText('Stored, ends in 719. Leave it empty to keep it.')).toBeTruthy();
  expect(screen.queryByLabelText('Date of birth')).toBeNull();
  await type('Registration number', 'HRB 2');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const { body } = server.seen('PUT /api/creator/tax-details')[0] as { body: Record<string, unknown> };
  expect(body).toMatchObject({ kind: 'company', registrationNumber: 'HRB 2' });
  expect([body['taxIds'], body['vatId']]).toEqual([undefined, undefined]);
  await userEvent.click(shown.getByRole('button', { name: 'Change' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'I have no VAT id: delete it' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.seen('PUT /api/creator/tax-details')[1]?.body).toMatchObject({ vatId: null });
});

it('[BOOK-835] sends one request for two presses', async () => {
  let answer!: (saved: object) => void;
  server.on('PUT /api/creator/tax-details', () => new Promise((resolve) => (answer = resolve)));
  details = { ...NOTHING, stated: STATED, report: 'DAC7', missing: [] };
  open();
  await userEvent.click((await panel()).getByRole('button', { name: 'Change' }));
  await userEvent.dblClick(await screen.findByRole('button', { name: 'Save' }));
  await waitFor(() => expect(server.seen('PUT /api/creator/tax-details')).toHaveLength(1));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await act(async () => answer({ json: details }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.seen('PUT /api/creator/tax-details')).toHaveLength(1);
});

it('[BOOK-830] asks no creator who neither earned anything nor set up payouts', async () => {
  hasMonths = false;
  open();
  await waitFor(() => expect(server.seen('GET /api/creator/monthly-statements')).toHaveLength(1));
  await waitFor(() => expect(server.seen('GET /api/creator/tax-details')).toHaveLength(1));
  expect(screen.queryByRole('region', { name: 'Tax details' })).toBeNull();
});
