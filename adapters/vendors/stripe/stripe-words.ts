import type { PaymentWords } from '../../../application/payments/payment-gateway.js';

/** Texts for Stripe's `pending_reason` of a refund, or for its status if it has no reason. */
const WAITING: Readonly<Record<string, string>> = {
  charge_pending: 'the payment itself has not arrived yet',
  insufficient_funds: 'the balance at Stripe is too small for it',
  processing: 'Stripe or the bank is working on it',
  requires_action: 'the payer must give Stripe the destination',
  pending: 'Stripe has not sent it and does not say why',
};

/** Texts for Stripe's `failure_reason` of a refund, its status, or the error code of a refused refund. */
const FAILED: Readonly<Record<string, string>> = {
  lost_or_stolen_card: 'the card was lost or stolen',
  expired_or_canceled_card: 'the card has expired or was cancelled',
  expired_or_canceled_refund: 'the payer did not answer in time, or it was cancelled',
  charge_for_pending_refund_disputed: 'the payer disputed the payment while it waited',
  insufficient_funds: 'the balance at Stripe was too small for it',
  declined: 'the bank declined it',
  merchant_request: 'we asked Stripe to stop it',
  unknown: 'Stripe does not know why',
  failed: 'Stripe does not say why',
  canceled: 'it was cancelled',
  charge_already_refunded: 'the payment was refunded before',
  charge_disputed: 'the payer disputed the payment',
  no_payment: 'Stripe has no payment of the invoice',
  invalid_request: 'Stripe did not accept the request',
};

const ofRefund = (words: Readonly<Record<string, string>>, code: string): string =>
  Object.hasOwn(words, code) ? (words[code] as string) : `for a reason that Stripe calls ${code}`;

type Words = readonly [RegExp, string][];

/**
 * Texts for Stripe's requirements about a person. Each pattern is matched with the part of a requirement after its
 * first dot.
 */
const OF_A_PERSON: Words = [
  [/^(first_|last_|full_|maiden_)?name/, 'Your name'],
  [/^dob\b/, 'Your date of birth'],
  [/^(registered_)?address/, 'Your address'],
  [/^email$/, 'Your e-mail address'],
  [/^phone$/, 'Your telephone number'],
  [/^ssn_last_4$/, 'The last four digits of your Social Security number'],
  [/^id_number/, 'Your tax or identity number'],
  [/^nationality$/, 'Your nationality'],
  [/^gender$/, 'Your gender'],
  [/^political_exposure$/, 'Your answer whether you hold a public office'],
  [/^verification\.additional_document/, 'A second document, such as a bill with your address'],
  [/^verification\.proof_of_liveness/, 'A selfie, to compare with your document'],
  [/^(verification\.document|documents\.(passport|visa))/, 'A photo of your passport or identity card'],
  [/^relationship\.percent_ownership$/, 'Your share of the company'],
  [/^relationship\b/, 'Your position in the company'],
];

const OF_A_COMPANY: Words = [
  [/^name/, 'The name of your company'],
  [/^(tax_id|registration_number|vat_id)/, 'The tax or registration number of your company'],
  [/^address/, 'The address of your company'],
  [/^phone$/, 'The telephone number of your company'],
  [/^structure$/, 'The legal form of your company'],
  [/^(owners|directors|executives)_provided$/, 'The owners and directors of your company'],
  [/^ownership_/, 'A declaration of who owns your company'],
  [/^verification/, 'A document of your company, such as an extract from the register'],
];

const OF_THE_ACCOUNT: Words = [
  [/^external_account/, 'A bank account for your payouts'],
  [/^tos_acceptance/, 'Your consent to the terms of Stripe'],
  [/^business_type$/, 'Whether you work as a person or as a company'],
  [/^business_profile\.mcc$/, 'The kind of business you do'],
  [/^business_profile\.url$/, 'A website or profile that shows your work'],
  [/^business_profile\.product_description$/, 'A description of what you sell'],
  [/^business_profile\.name$/, 'The name that you work under'],
  [/^business_profile\.support_/, 'How people reach you with questions'],
  [/^business_profile\./, 'More about your business'],
  [/^settings\.(card_)?payments\.statement_descriptor/, 'The name on bank statements'],
  [/^documents\.bank_account_ownership/, 'A document that shows that the bank account is yours'],
  [/^documents\./, 'A document of your company'],
  [/^(interv|inquiry)_/, 'Your answers to questions of Stripe'],
];

const OTHERS: Words = [
  [/^representative$/, 'Who acts for your company'],
  [/^owners$/, 'Who owns your company'],
  [/^directors$/, 'Who directs your company'],
  [/^executives$/, 'Who leads your company'],
  [/^person_/, 'A person in your company'],
];

const UNKNOWN = 'Other information for Stripe';

const found = (words: Words, code: string): string | undefined =>
  words.find(([pattern]) => pattern.test(code))?.[1];

function ofRequirement(code: string): string {
  const [subject = '', ...rest] = code.split('.');
  const asked = rest.join('.');
  if (subject === 'individual') return found(OF_A_PERSON, asked) ?? UNKNOWN;
  if (subject === 'company') return found(OF_A_COMPANY, asked) ?? UNKNOWN;
  const who = found(OTHERS, subject);
  if (who === undefined) return found(OF_THE_ACCOUNT, code) ?? UNKNOWN;
  const what = found(OF_A_PERSON, asked);
  return what === undefined
    ? who
    : `${who}: ${what.replace(/\byour?\b/gi, 'the').replace(/^\w/, (letter) => letter.toLowerCase())}`;
}

export const stripeWords: PaymentWords = {
  ofWaitingRefund: (code) => ofRefund(WAITING, code),
  ofFailedRefund: (code) => ofRefund(FAILED, code),
  ofRequirement,
};
