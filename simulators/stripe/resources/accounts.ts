import type Stripe from 'stripe';
import { invalid, missing } from '../faults.js';
import type { Parameters } from '../parameters.js';
import { list, retrieve, show, type Call, type Routes } from '../router.js';
import { DAY_SECONDS, listOf, type World } from '../world.js';

/** Countries to which a platform in the United States may transfer, from Stripe's published example. */
const PAID_COUNTRIES: readonly string[] = (
  'AE AG AL AM AO AR AT AU AZ BA BD BE BG BH BJ BN BO BS BT BW CA CH CI CL CO CR CY CZ DE DK DO DZ EC EE EG ES ET FI ' +
  'FR GA GB GH GM GR GT GY HK HR HU ID IE IL IS IT JM JO JP KE KH KR KW KZ LA LC LI LK LT LU LV MA MC MD MG MK MN MO ' +
  'MT MU MX MY MZ NA NE NG NL NO NZ OM PA PE PH PK PL PT PY QA RO RS RW SA SE SG SI SK SM SN SV TH TN TR TT TW TZ US ' +
  'UY UZ VN ZA'
).split(' ');

const EURO = new Set('AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC MT NL PT SI SK SM'.split(' '));
const OTHERS: Record<string, string> = { AU: 'aud', CA: 'cad', CH: 'chf', GB: 'gbp', JP: 'jpy', PL: 'pln' };

const currencyOf = (country: string): string => (EURO.has(country) ? 'eur' : (OTHERS[country] ?? 'usd'));

/** Stripe's requirements for an individual in the United States before it pays out. */
const ASKED_FOR = [
  'external_account',
  'individual.dob.day',
  'individual.first_name',
  'individual.last_name',
  'individual.ssn_last_4',
  'tos_acceptance.date',
];

/** With this capability, Stripe asks for the number with which it can file Form 1099-MISC. */
const TAX_REPORTING = 'tax_reporting_us_1099_misc';

const askedIn = (country: string): string[] =>
  country === 'US'
    ? ASKED_FOR
    : ASKED_FOR.map((code) => (code === 'individual.ssn_last_4' ? 'individual.id_number' : code));

const requirements = (due: string[]): NonNullable<Stripe.Account['requirements']> => ({
  alternatives: [],
  current_deadline: null,
  currently_due: due,
  disabled_reason: due.length > 0 ? 'requirements.past_due' : null,
  errors: [],
  eventually_due: due,
  past_due: due,
  pending_verification: [],
});

/** Reads the `controller` of a new account. The simulator supports only one. */
const readController = (parameters: Parameters): Stripe.Account.Controller | undefined =>
  parameters.nested('controller', (given) => {
    const part = (name: string, field: string, value: string): void => {
      if (given.nested(name, (inner) => inner.oneOf(field, [value])) === undefined)
        throw missing(`controller[${name}][${field}]`);
    };
    part('fees', 'payer', 'application');
    part('losses', 'payments', 'application');
    part('stripe_dashboard', 'type', 'express');
    return {
      fees: { payer: 'application' },
      is_controller: true,
      losses: { payments: 'application' },
      requirement_collection: given.oneOf('requirement_collection', ['stripe'] as const) ?? 'stripe',
      stripe_dashboard: { type: 'express' },
      type: 'application',
    };
  });

/**
 * Reads the profile, because `done` refuses parameters that were not read. Returns the requested capabilities; others have
 * no effect here.
 */
function readProfile(parameters: Parameters): Stripe.Account.Capabilities {
  const requested: Stripe.Account.Capabilities = {};
  parameters.nested('capabilities', (capabilities) => {
    for (const name of ['transfers', 'card_payments', TAX_REPORTING] as const)
      if (capabilities.nested(name, (capability) => capability.flag('requested')))
        requested[name] = 'inactive';
  });
  parameters.nested('business_profile', (profile) => {
    for (const name of ['name', 'url', 'product_description', 'mcc']) profile.text(name);
  });
  parameters.oneOf('business_type', ['individual', 'company', 'non_profit']);
  return requested;
}

function create({ world, parameters }: Call): object {
  const type = parameters.oneOf('type', ['express']);
  const controller = readController(parameters);
  const agreement = parameters.nested('tos_acceptance', (acceptance) =>
    acceptance.oneOf('service_agreement', ['full', 'recipient']),
  );
  const isRecipient = agreement === 'recipient';
  const country = parameters.text('country') ?? 'US';
  const email = parameters.text('email') ?? null;
  const capabilities = readProfile(parameters);
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
  if (capabilities[TAX_REPORTING]) Object.assign(account.capabilities ?? {}, { [TAX_REPORTING]: 'inactive' });
  if (controller) Object.assign(account, { controller, type: 'none' });
  if (isRecipient && account.tos_acceptance) account.tos_acceptance.service_agreement = 'recipient';
  world.add('accounts', account);
  return updated(world, account);
}

function updated(world: World, account: Stripe.Account, previous?: Record<string, unknown>): Stripe.Account {
  return world.emit('account.updated', account, previous, account.id);
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

function update({ world, id, parameters }: Call): object {
  const account = world.find('accounts', id);
  account.metadata = parameters.metadata(account.metadata ?? {});
  parameters.done();
  return updated(world, account);
}

/** What an owner enters on the onboarding page. The tax number stays at Stripe. */
export interface Owner {
  firstName?: string;
  lastName?: string;
  line1?: string;
  city?: string;
  postalCode?: string;
  /** Such as `1990-12-31`. */
  birthDate?: string;
}

function personOf({
  firstName,
  lastName,
  line1,
  city,
  postalCode,
  birthDate,
}: Owner): Partial<Stripe.Person> {
  const [year = 0, month = 0, day = 0] = (birthDate ?? '').split('-').map(Number);
  return {
    id_number_provided: true,
    ...(lastName && { first_name: firstName ?? null, last_name: lastName }),
    ...(line1 && {
      address: {
        line1,
        line2: null,
        city: city ?? null,
        state: null,
        postal_code: postalCode ?? null,
        country: null,
      },
    }),
    ...(birthDate && { dob: { year, month, day } }),
  };
}

/** Completes the onboarding: the account can now receive transfers and pay out. */
export function completeOnboarding(world: World, account: Stripe.Account, owner: Owner): void {
  if (account.payouts_enabled && account.requirements?.currently_due?.length === 0) return;
  const { details_submitted, payouts_enabled } = account;
  const previous = { details_submitted, payouts_enabled };
  account.details_submitted = true;
  // Recipient accounts receive transfers but take no payments.
  account.charges_enabled = account.tos_acceptance?.service_agreement !== 'recipient';
  account.payouts_enabled = true;
  const active = Object.keys(account.capabilities ?? {}).map((name) => [name, 'active']);
  account.capabilities = Object.fromEntries(active) as Stripe.Account.Capabilities;
  account.requirements = requirements([]);
  account.individual = { ...account.individual, ...personOf(owner) } as Stripe.Person;
  const accepted = { date: world.now(), ip: '127.0.0.1', user_agent: null };
  account.tos_acceptance = { ...account.tos_acceptance, ...accepted };
  updated(world, account, previous);
}

/** Adds a requirement: overdue at once, which blocks transfers and payouts, or due after `days`. */
export function requireMore(
  world: World,
  account: Stripe.Account,
  { code, reason, days }: { code: string; reason?: string | undefined; days: number },
): void {
  const previous = { requirements: structuredClone(account.requirements) };
  const isLate = days === 0;
  account.requirements = {
    ...requirements([code]),
    current_deadline: isLate ? null : world.now() + days * DAY_SECONDS,
    disabled_reason: isLate ? 'requirements.past_due' : null,
    past_due: isLate ? [code] : [],
    errors: reason ? [{ code: 'verification_document_not_readable', reason, requirement: code }] : [],
  };
  if (isLate) {
    account.payouts_enabled = false;
    account.capabilities = { transfers: 'inactive' };
  }
  updated(world, account, previous);
}

/** Records that a creator entered only a name on the onboarding page and left. */
export function leaveIncomplete(world: World, account: Stripe.Account): void {
  if (account.payouts_enabled) return;
  const previous = { requirements: structuredClone(account.requirements) };
  const asked = askedIn(account.country ?? 'US');
  account.requirements = requirements(asked.filter((code) => !code.endsWith('_name')));
  updated(world, account, previous);
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
function readPlatform({ world }: Call): object {
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

function readCountry({ id }: Call): object {
  if (!PAID_COUNTRIES.includes(id)) throw invalid(`Country '${id}' is unknown.`, 'country');
  const currency = currencyOf(id);
  const minimum = ['external_account', 'tos_acceptance.date', 'tos_acceptance.ip'];
  const fields = { additional: [], minimum };
  return {
    id,
    object: 'country_spec',
    default_currency: currency,
    supported_bank_account_currencies: { [currency]: [id] },
    supported_payment_currencies: [currency],
    supported_payment_methods: ['card', 'stripe'],
    supported_transfer_countries: PAID_COUNTRIES,
    verification_fields: { company: fields, individual: fields },
  };
}

export const accountRoutes: Routes = {
  'GET /v1/account': show(readPlatform),
  'POST /v1/accounts': create,
  'GET /v1/accounts/:id': retrieve('accounts'),
  'POST /v1/accounts/:id': update,
  'GET /v1/accounts': list('accounts'),
  'POST /v1/account_links': createLink,
  'GET /v1/country_specs/:id': show(readCountry),
};
