import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '../../../domain/shared/decision.js';
import { boundsOfQuarter, euroCents, vatRateDecider } from '../../../domain/ledger/vat-rate.js';
import { EU_MEMBERS } from '../../../domain/shared/eu-members.js';
import { MICRO_USD_PER_CENT } from '../../../domain/shared/micro-usd.js';
import { csvOf } from '../../shared/csv.js';
import { Clock } from '../../shared/clock.js';
import { Streams } from '../../shared/streams.js';
import type { Span } from '../contract.js';
import type { TaxReport, VatReturn } from './tax-contract.js';

/** `vatIds` is null if the invoice named none, or was paid before they were stored. */
export interface ReverseCharged {
  country: string;
  vatIds: readonly string[] | null;
  netMicroUsd: number;
}

export abstract class TaxReports {
  abstract report(span: Span): Promise<TaxReport>;
  /** Sums what firms owe the tax of, by country and VAT ids, less what was given back. */
  abstract firms(span: Span): Promise<ReverseCharged[]>;
}

@Injectable()
export class VatReturns {
  constructor(
    private readonly tax: TaxReports,
    private readonly streams: Streams,
  ) {}

  /** Returns the recapitulative statement of a quarter: sales with reverse charge by firm, as a table. */
  async firms(quarter: string): Promise<string> {
    const rate = await this.streams.load(vatRateDecider, quarter);
    const firms = await this.tax.firms(boundsOfQuarter(quarter));
    return csvOf(
      FIRM_COLUMNS,
      firms
        .filter(({ country }) => EU_MEMBERS.includes(country))
        .map(({ country, vatIds, netMicroUsd }) => [
          quarter,
          country,
          vatIds?.join('; ') ?? '',
          { microUsd: netMicroUsd },
          rate ? { microUsd: euroCents(netMicroUsd, rate.usdPerEur) * MICRO_USD_PER_CENT } : '',
        ]),
    );
  }

  /** Sums a quarter by member state, in dollars, and in euros once the rate of its last day is stored. */
  async of(quarter: string): Promise<VatReturn> {
    const span = boundsOfQuarter(quarter);
    const rate = await this.streams.load(vatRateDecider, quarter);
    const { items } = await this.tax.report(span);
    const inEuros = (microUsd: number) => (rate ? euroCents(microUsd, rate.usdPerEur) : null);
    return {
      quarter,
      lastDay: new Date(span.to.getTime() - 1).toISOString().slice(0, 10),
      usdPerEur: rate?.usdPerEur ?? null,
      items: EU_MEMBERS.flatMap((country) => {
        const rows = items.filter((row) => row.country === country);
        if (rows.length === 0) return [];
        const sum = (of: 'sales' | 'taxableMicroUsd' | 'dueMicroUsd' | 'reverseChargeMicroUsd') =>
          rows.reduce((total, row) => total + row[of], 0);
        const [taxableMicroUsd, taxMicroUsd] = [sum('taxableMicroUsd'), sum('dueMicroUsd')];
        return [
          {
            country,
            sales: sum('sales'),
            taxableMicroUsd,
            taxMicroUsd,
            reverseChargeMicroUsd: sum('reverseChargeMicroUsd'),
            taxableEurCents: inEuros(taxableMicroUsd),
            taxEurCents: inEuros(taxMicroUsd),
          },
        ];
      }),
    };
  }
}

const FIRM_COLUMNS = ['quarter', 'country', 'vat_id', 'net_usd', 'net_eur'];

/** Stores the exchange rate of a quarter that is over. */
export class SetVatRate extends Command<Outcome<object, { code: 'PeriodNotOver'; endsAt: string }>> {
  constructor(
    readonly quarter: string,
    readonly usdPerEur: string,
    readonly by: string,
  ) {
    super();
  }
}

@CommandHandler(SetVatRate)
export class SetVatRateHandler implements ICommandHandler<SetVatRate> {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  execute({ quarter, usdPerEur, by }: SetVatRate): Promise<CommandResult<SetVatRate>> {
    const command = {
      type: 'SetVatRate',
      quarter,
      usdPerEur,
      by,
      now: this.clock.now().toISOString(),
    } as const;
    return this.streams.execute(vatRateDecider, quarter, command, {
      actor: by,
      correlationId: vatRateDecider.streamOf(quarter),
    });
  }
}
