import type Stripe from 'stripe';
import { invalid, missing } from '../faults.js';
import { page } from '../listing.js';
import type { Parameters } from '../parameters.js';
import type { Call, Route } from '../router.js';
import { listOf, type World } from '../world.js';
import { currencyOf, PAID_COUNTRIES } from './country-specs.js';

/** Stripe's requirements for an individual in the United States before it pays out. */
const ASKED_FOR = [
  'external_account',
  'individual.dob.day',
  'individual.first_name',
  'individual.last_name',
  'individual.ssn_last_4',
  'tos_acceptance.date',
];

const askedIn = (country: string): string[] =>
  country === 'US'
    ? ASKED_FOR
    : ASKED_FOR.map((code) => (code === 'individual.ssn_last_4' ? 'individual.id_number' : code));

type Requirements = NonNullable<Stripe.Account['requirements']>;

const requirements = (due: string[]): Requirements => ({
  alternatives: [],
  current_deadline: null,
  currently_due: due,
  disabled_reason: due.length > 0 ? 'requirements.past_due' : null,
  errors: [],
  eventually_due: due,
  past_due: due,
  pending_verification: [],
});

function readCapabilities(parameters: Parameters): void {
  const capabilities = parameters.nested('capabilities');
  for (const name of ['transfers', 'card_payments']) {
    const capability = capabilities?.nested(name);
    capability?.flag('requested');
    capability?.done();
  }
  capabilities?.done();
}

/** Reads the only controller that this simulator supports. */
function readController(parameters: Parameters): Stripe.Account.Controller | undefined {
  const given = parameters.nested('controller');
  const part = (name: string, field: string, value: string): void => {
    const inner = given?.nested(name);
    if (given && inner?.oneOf(field, [value]) === undefined) throw missing(`controller[${name}][${field}]`);
    inner?.done();
  };
  part('fees', 'payer', 'application');
  part('losses', 'payments', 'application');
  part('stripe_dashboard', 'type', 'express');
  const collection = given?.oneOf('requirement_collection', ['stripe'] as const) ?? 'stripe';
  given?.done();
  return (
    given && {
      fees: { payer: 'application' },
      is_controller: true,
      losses: { payments: 'application' },
      requirement_collection: collection,
      stripe_dashboard: { type: 'express' },
      type: 'application',
    }
  );
}

function readProfile(parameters: Parameters): void {
  const profile = parameters.nested('business_profile');
  for (const name of ['name', 'url', 'product_description', 'mcc']) profile?.text(name);
  profile?.done();
  parameters.oneOf('business_type', ['individual', 'company', 'non_profit']);
}

function create({ world, parameters }: Call): object {
  const type = parameters.oneOf('type', ['express']);
  const controller = readController(parameters);
  const agreement = parameters.nested('tos_acceptance');
  const isRecipient = agreement?.oneOf('service_agreement', ['full', 'recipient']) === 'recipient';
  agreement?.done();
  const country = parameters.text('country') ?? 'US';
  const email = parameters.text('email') ?? null;
  readCapabilities(parameters);
  readProfile(parameters);
  const metadata = parameters.metadata();
  parameters.done();
  if (type && controller) throw invalid('Only one of type and controller may be given', 'controller');
  if (!PAID_COUNTRIES.includes(country)) throw invalid(`Country '${country}' is not supported`, 'country');
  if (isRecipient === (country === world.state.platform.country))
    throw invalid(
      'Accounts abroad that only receive transfers must accept the recipient service agreement, and no others may.',
      'tos_acceptance[service_agreement]',
    );
  const id = world.id('acct').slice(0, 21);
  const account = newAccount(world, id, { country, email, metadata });
  if (controller) Object.assign(account, { controller, type: 'none' });
  if (isRecipient && account.tos_acceptance) account.tos_acceptance.service_agreement = 'recipient';
  world.objects.accounts[id] = account;
  world.emit('account.updated', account, undefined, id);
  return account;
}

function newAccount(
  world: World,
  id: string,
  given: { country: string; email: string | null; metadata: Record<string, string> },
): Stripe.Account {
  return {
    id,
    object: 'account',
    business_profile: null,
    business_type: 'individual',
    capabilities: { transfers: 'inactive' },
    charges_enabled: false,
    controller: { type: 'application' },
    created: world.now(),
    default_currency: currencyOf(given.country),
    details_submitted: false,
    external_accounts: listOf([], `/v1/accounts/${id}/external_accounts`),
    future_requirements: requirements([]),
    payouts_enabled: false,
    requirements: requirements(askedIn(given.country)),
    settings: null,
    tos_acceptance: { date: null, ip: null, user_agent: null },
    type: 'express',
    ...given,
  } as Stripe.Account;
}

function update({ world, path, parameters }: Call): object {
  const account = world.find('accounts', path['id'] as string);
  account.metadata = parameters.metadata(account.metadata ?? {});
  parameters.done();
  world.emit('account.updated', account, undefined, account.id);
  return account;
}

/** Completes the onboarding: the account can now receive transfers and pay out. */
export function completeOnboarding(world: World, account: Stripe.Account): void {
  if (account.payouts_enabled && account.requirements?.currently_due?.length === 0) return;
  const { details_submitted, payouts_enabled } = account;
  const previous = { details_submitted, payouts_enabled };
  account.details_submitted = true;
  // Recipient accounts receive transfers but take no payments.
  account.charges_enabled = account.tos_acceptance?.service_agreement !== 'recipient';
  account.payouts_enabled = true;
  account.capabilities = { transfers: 'active' };
  account.requirements = requirements([]);
  account.tos_acceptance = {
    ...account.tos_acceptance,
    date: world.now(),
    ip: '127.0.0.1',
    user_agent: null,
  };
  world.emit('account.updated', account, previous, account.id);
}

/** Adds a requirement: overdue at once, which blocks transfers and payouts, or due after `days`. */
export function requireMore(
  world: World,
  account: Stripe.Account,
  asked: { code: string; reason?: string; days: number },
): void {
  const { code, reason, days } = asked;
  const previous = { requirements: structuredClone(account.requirements) };
  const isLate = days === 0;
  account.requirements = {
    ...requirements([code]),
    current_deadline: isLate ? null : world.now() + days * 86_400,
    disabled_reason: isLate ? 'requirements.past_due' : null,
    past_due: isLate ? [code] : [],
    errors: reason ? [{ code: 'verification_document_not_readable', reason, requirement: code }] : [],
  };
  if (isLate) {
    account.payouts_enabled = false;
    account.capabilities = { transfers: 'inactive' };
  }
  world.emit('account.updated', account, previous as Record<string, unknown>, account.id);
}

/** Leaves the onboarding page early: only the name was given. */
export function leaveIncomplete(world: World, account: Stripe.Account): void {
  if (account.payouts_enabled) return;
  const previous = { requirements: structuredClone(account.requirements) };
  const asked = askedIn(account.country ?? 'US');
  account.requirements = requirements(asked.filter((code) => !code.endsWith('_name')));
  world.emit('account.updated', account, previous as Record<string, unknown>, account.id);
}

const LINK_SECONDS = 5 * 60;

function createLink({ world, parameters }: Call): object {
  const account = world.find('accounts', parameters.required('account'), 'account');
  const refreshUrl = parameters.required('refresh_url');
  const returnUrl = parameters.required('return_url');
  parameters.oneOf('type', ['account_onboarding']);
  parameters.oneOf('collect', ['currently_due', 'eventually_due']);
  parameters.done();
  const token = world.id('link').slice(5);
  const expiresAt = world.now() + LINK_SECONDS;
  world.state.accountLinks[token] = { accountId: account.id, refreshUrl, returnUrl, expiresAt, used: false };
  return {
    object: 'account_link',
    created: world.now(),
    expires_at: expiresAt,
    url: `${world.base()}/setup/s/${account.id}/${token}`,
  };
}

/** Returns our own account. */
function readPlatform({ world, parameters }: Call): object {
  parameters.done();
  const { country, charges_enabled, payouts_enabled } = world.state.platform;
  return {
    ...newAccount(world, 'acct_simulator', { country, email: null, metadata: {} }),
    charges_enabled,
    payouts_enabled,
    capabilities: { card_payments: 'active', transfers: 'active' },
    controller: { type: 'account' },
    details_submitted: true,
    requirements: requirements([]),
    type: 'standard',
  };
}

export const accountRoutes: Route[] = [
  { method: 'GET', pattern: '/v1/account', answer: readPlatform },
  { method: 'POST', pattern: '/v1/accounts', answer: create },
  {
    method: 'GET',
    pattern: '/v1/accounts/:id',
    answer: ({ world, path, parameters }) => {
      parameters.done();
      return world.find('accounts', path['id'] as string);
    },
  },
  { method: 'POST', pattern: '/v1/accounts/:id', answer: update },
  {
    method: 'GET',
    pattern: '/v1/accounts',
    answer: ({ world, parameters }) => page(world.all('accounts'), parameters, '/v1/accounts'),
  },
  { method: 'POST', pattern: '/v1/account_links', answer: createLink },
];
