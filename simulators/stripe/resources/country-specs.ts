import { invalid } from '../faults.js';
import type { Route } from '../router.js';

/** Countries to which a platform in the United States may transfer, from Stripe's published example. */
export const PAID_COUNTRIES: readonly string[] = (
  'AE AG AL AM AO AR AT AU AZ BA BD BE BG BH BJ BN BO BS BT BW CA CH CI CL CO CR CY CZ DE DK DO DZ EC EE EG ES ET FI ' +
  'FR GA GB GH GM GR GT GY HK HR HU ID IE IL IS IT JM JO JP KE KH KR KW KZ LA LC LI LK LT LU LV MA MC MD MG MK MN MO ' +
  'MT MU MX MY MZ NA NE NG NL NO NZ OM PA PE PH PK PL PT PY QA RO RS RW SA SE SG SI SK SM SN SV TH TN TR TT TW TZ US ' +
  'UY UZ VN ZA'
).split(' ');

const EURO = new Set('AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC MT NL PT SI SK SM'.split(' '));
const OTHERS: Record<string, string> = { AU: 'aud', CA: 'cad', CH: 'chf', GB: 'gbp', JP: 'jpy', PL: 'pln' };

export const currencyOf = (country: string): string =>
  EURO.has(country) ? 'eur' : (OTHERS[country] ?? 'usd');

export const countrySpecRoutes: Route[] = [
  {
    method: 'GET',
    pattern: '/v1/country_specs/:id',
    answer: ({ path, parameters }) => {
      parameters.done();
      const id = path['id'] as string;
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
        supported_transfer_countries: [...PAID_COUNTRIES],
        verification_fields: { company: fields, individual: fields },
      };
    },
  },
];
