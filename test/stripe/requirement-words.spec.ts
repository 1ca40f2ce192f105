import { expect, it } from '@jest/globals';
import { stripeWords } from '../../adapters/vendors/stripe/stripe-words.js';

/** Requirements in Stripe's documentation of verification. */
const CODES = (
  'business_profile.mcc business_profile.name business_profile.product_description business_profile.support_email ' +
  'business_profile.support_phone business_profile.url business_type company.address.city company.address.line1 ' +
  'company.directors_provided company.executives_provided company.name company.owners_provided company.phone ' +
  'company.registration_number company.structure company.tax_id company.verification.document directors.email ' +
  'documents.bank_account_ownership_verification.files executives.dob.day external_account individual.address.city ' +
  'individual.address.line1 individual.address.postal_code individual.address.state individual.dob.day ' +
  'individual.dob.month individual.dob.year individual.email individual.first_name individual.id_number ' +
  'individual.last_name individual.nationality individual.phone individual.political_exposure individual.ssn_last_4 ' +
  'individual.verification.additional_document individual.verification.document ' +
  'individual.verification.proof_of_liveness interv_1.other_supporting_inquiry.form owners.first_name ' +
  'person_1.verification.document representative.relationship.title settings.payments.statement_descriptor ' +
  'tos_acceptance.date tos_acceptance.ip'
).split(' ');

it('[PAY-23] every requirement that Stripe documents has words, and any other one says so', () => {
  const unknown = stripeWords.ofRequirement('something.new');
  expect(unknown).toBe('Other information for Stripe');
  expect(CODES.filter((code) => stripeWords.ofRequirement(code) === unknown)).toEqual([]);
  expect(
    [
      'individual.verification.document',
      'individual.dob.month',
      'person_1.verification.document',
      'owners.first_name',
    ].map(stripeWords.ofRequirement),
  ).toEqual([
    'A photo of your passport or identity card',
    'Your date of birth',
    'A person in your company: a photo of the passport or identity card',
    'Who owns your company: the name',
  ]);
  expect(stripeWords.ofRequirement('')).toBe(unknown);
});
