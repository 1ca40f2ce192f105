import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { creatorTaxExportDecider } from '../../../domain/ledger/creator-tax-export.js';
import { euroCents, vatRateDecider } from '../../../domain/ledger/vat-rate.js';
import {
  formsOf,
  isReportable,
  missingIn,
  reportFor,
  type TaxDatum,
  type TaxReportKind,
} from '../../../domain/payouts/tax-reports.js';
import { MICRO_USD_PER_CENT, sumOf } from '../../../domain/shared/micro-usd.js';
import { Notices } from '../../mail/notices.js';
import { paths } from '../../pages/paths.js';
import { EarningsYears, type CreatorMonth } from '../../payouts/earnings-years.js';
import { CreatorTaxDetails, personOf, type TaxNumbers } from '../../payouts/tax-details.js';
import { Clock, WallClock } from '../../shared/clock.js';
import { csvOf } from '../../shared/csv.js';
import { Streams } from '../../shared/streams.js';
import type { CreatorTaxes } from './tax-contract.js';

const QUARTERS = [1, 2, 3, 4] as const;
const MONTHS = Array.from({ length: 12 }, (_, at) => String(at + 1).padStart(2, '0'));

/** A creator in a calendar year (UTC). */
interface CreatorYear {
  creatorId: string;
  numbers: TaxNumbers | undefined;
  person: ReturnType<typeof personOf>;
  report: TaxReportKind;
  isReportable: boolean;
  missing: TaxDatum[];
  months: readonly CreatorMonth[];
  total: Amounts;
}

const amountsOf = (months: readonly CreatorMonth[]) => {
  const sum = (of: Exclude<keyof CreatorMonth, 'creatorId' | 'month'>) =>
    sumOf(months.map((month) => month[of]));
  return {
    sales: sum('sales'),
    returns: sum('returns'),
    grossMicroUsd: sum('grossMicroUsd'),
    royaltiesMicroUsd: sum('earnedMicroUsd') - sum('takenBackMicroUsd'),
    feesMicroUsd: sum('feesMicroUsd'),
    paidMicroUsd: sum('withdrawnMicroUsd'),
  };
};
type Amounts = ReturnType<typeof amountsOf>;

/** What DAC7 and Forms 1099 ask about the creators of a year, from their accounts in the journal. */
@Injectable()
export class CreatorTaxReports {
  constructor(
    private readonly years: EarningsYears,
    private readonly details: CreatorTaxDetails,
    private readonly streams: Streams,
    private readonly notices: Notices,
    private readonly clock: WallClock,
  ) {}

  async summary(year: string): Promise<CreatorTaxes> {
    const creators = await this.creators(year);
    const rates = await this.rates(year);
    return {
      year,
      items: [...new Set(creators.map(({ person }) => person.country))].map((country) => {
        const those = creators.filter(({ person }) => person.country === country);
        const reportable = those.filter((each) => each.isReportable);
        return {
          country,
          report: reportFor(country),
          creators: those.length,
          reportable: reportable.length,
          incomplete: reportable.filter(({ missing }) => missing.length > 0).length,
          grossMicroUsd: sumOf(those.map(({ total }) => total.grossMicroUsd)),
          royaltiesMicroUsd: sumOf(those.map(({ total }) => total.royaltiesMicroUsd)),
        };
      }),
      quartersWithoutRate: QUARTERS.flatMap((number) => (rates[number] ? [] : `${year}-Q${number}`)),
    };
  }

  /** Returns the reportable creators whose tax details are incomplete, sorted by country and id. */
  async incomplete(year: string): Promise<CreatorYear[]> {
    const creators = await this.creators(year);
    return creators.filter((each) => each.isReportable && each.missing.length > 0);
  }

  /**
   * Asks each creator whom `incomplete` returns, once per reported year, by a notice and a mail. @returns the number
   * of these creators
   */
  async ask(year: string): Promise<number> {
    const creators = await this.incomplete(year);
    await this.notices.add(
      creators.map(({ creatorId: userId }) => ({
        userId,
        fact: `tax details ${year}`,
        kind: 'payouts' as const,
        subject: `Please add your tax details: we have to report what you earned in ${year}`,
        path: paths.earnings,
        at: this.clock.now(),
      })),
    );
    return creators.length;
  }

  /** Returns the rows of the file, with the tax numbers in full. @param country absent for all */
  async rows(year: string, country?: string) {
    const creators = (await this.creators(year)).filter(
      ({ person }) => country === undefined || person.country === country,
    );
    const rates = await this.rates(year);
    return creators.map((creator) => this.row(year, creator, rates));
  }

  private row(year: string, creator: CreatorYear, rates: Rates) {
    const { creatorId, numbers, person, report, missing, months, total } = creator;
    const forms = formsOf(total);
    const yesNo = (is: boolean) => (is ? 'yes' : 'no');
    const in1099 = (is: boolean) => (report === '1099' ? yesNo(is) : '');
    return [
      year,
      creatorId,
      report,
      yesNo(creator.isReportable),
      missing.join('; '),
      person.country ?? '',
      person.kind ?? '',
      person.legalName ?? '',
      person.street ?? '',
      person.city ?? '',
      person.region ?? '',
      person.postalCode ?? '',
      person.birthDate ?? '',
      person.registrationNumber ?? '',
      numbers?.taxIds.map((id) => `${id.country} ${id.number}`).join('; ') ?? '',
      numbers?.vatId ?? '',
      yesNo(person.hasTaxIdAtProvider),
      ...QUARTERS.flatMap((number) => {
        const quarter = amountsOf(months.filter(({ month }) => quarterOf(month) === number));
        const rate = rates[number];
        const inEuros = (microUsd: number) =>
          rate ? { microUsd: euroCents(microUsd, rate) * MICRO_USD_PER_CENT } : '';
        return [
          quarter.sales,
          quarter.returns,
          { microUsd: quarter.royaltiesMicroUsd },
          { microUsd: quarter.feesMicroUsd },
          inEuros(quarter.royaltiesMicroUsd),
          inEuros(quarter.feesMicroUsd),
        ];
      }),
      in1099(forms.misc),
      { microUsd: total.royaltiesMicroUsd },
      in1099(forms.k),
      { microUsd: total.grossMicroUsd },
      total.sales,
      ...MONTHS.map((number) => ({
        microUsd: months.find(({ month }) => month === `${year}-${number}`)?.grossMicroUsd ?? 0,
      })),
      { microUsd: total.paidMicroUsd },
    ];
  }

  /** Returns the creators whose accounts moved in the year, sorted by country (unknown last), then by id. */
  private async creators(year: string): Promise<CreatorYear[]> {
    const byCreator = new Map<string, CreatorMonth[]>();
    for (const month of await this.years.moved(year))
      byCreator.set(month.creatorId, [...(byCreator.get(month.creatorId) ?? []), month]);
    const found = await this.details.find([...byCreator.keys()]);
    const stored = new Map(found.map((each) => [each.creatorId, each]));
    const creators: CreatorYear[] = [];
    for (const [creatorId, months] of byCreator) {
      const details = stored.get(creatorId);
      const numbers = details && (await this.details.numbersOf(details));
      const person = personOf(details, numbers);
      const report = reportFor(person.country);
      const total = amountsOf(months);
      creators.push({
        creatorId,
        numbers,
        person,
        report,
        isReportable: isReportable(report, total),
        missing: missingIn(person),
        months,
        total,
      });
    }
    const place = ({ person, creatorId }: CreatorYear) => `${person.country ?? 'ZZZ'} ${creatorId}`;
    return creators.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
  }

  private async rates(year: string): Promise<Rates> {
    const rates: Rates = {};
    for (const number of QUARTERS)
      rates[number] = (await this.streams.load(vatRateDecider, `${year}-Q${number}`))?.usdPerEur;
    return rates;
  }
}

/** Dollars for one euro on the last day of each quarter. */
type Rates = Partial<Record<(typeof QUARTERS)[number], string | undefined>>;

const quarterOf = (month: string): number => Math.ceil(Number(month.slice(5)) / 3);

/** Amounts are in dollars and, as `_eur`, in euros. `box` names the field of the form. */
const HEADINGS = [
  'year',
  'creator',
  'report',
  'reportable',
  'missing',
  'country',
  'kind',
  'legal_name',
  'street',
  'city',
  'region',
  'postal_code',
  'birth_date',
  'registration_number',
  'tax_ids',
  'vat_id',
  'tax_id_at_stripe',
  ...QUARTERS.flatMap((number) =>
    ['sales', 'returns', 'consideration_usd', 'fees_usd', 'consideration_eur', 'fees_eur'].map(
      (name) => `q${number}_${name}`,
    ),
  ),
  'form_1099_misc',
  'misc_box_2_royalties_usd',
  'form_1099_k',
  'k_box_1a_gross_usd',
  'k_box_3_transactions',
  ...MONTHS.map((number, at) => `k_box_5${'abcdefghijkl'[at]}_gross_${number}_usd`),
  'paid_out_usd',
];

/** Returns the table with the tax numbers in full, after it recorded who takes it. */
export class ExportCreatorTaxes extends Command<{ accepted: true; text: string }> {
  constructor(
    readonly year: string,
    readonly by: string,
    /** Absent for all countries. */
    readonly country?: string,
  ) {
    super();
  }
}

@CommandHandler(ExportCreatorTaxes)
export class ExportCreatorTaxesHandler implements ICommandHandler<ExportCreatorTaxes> {
  constructor(
    private readonly reports: CreatorTaxReports,
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  async execute({ year, by, country }: ExportCreatorTaxes): Promise<CommandResult<ExportCreatorTaxes>> {
    const rows = await this.reports.rows(year, country);
    await this.streams.execute(
      creatorTaxExportDecider,
      year,
      {
        type: 'TakeCreatorTaxes',
        year,
        country: country ?? null,
        creators: rows.length,
        by,
        now: this.clock.now().toISOString(),
      },
      { actor: by, correlationId: creatorTaxExportDecider.streamOf(year) },
    );
    return { accepted: true, text: csvOf(HEADINGS, rows) };
  }
}
