import { Controller, Header, StreamableFile } from '@nestjs/common';
import { EarningsYears, YearPrinter } from '../../application/payouts/earnings-years.js';
import { yearCsv } from '../../application/payouts/statement-csv.js';
import * as endpoints from '../../application/payouts/endpoints.js';
import { Route, type Call } from '../platform/http/route.js';

@Controller()
export class YearsController {
  constructor(
    private readonly years: EarningsYears,
    private readonly printer: YearPrinter,
  ) {}

  @Route(endpoints.readYearAsCsv)
  @Header('Content-Disposition', 'attachment; filename="year.csv"')
  @Header('Cache-Control', 'private, no-store')
  async csv({ actor, params: { year } }: Call<typeof endpoints.readYearAsCsv>) {
    return yearCsv(await this.years.year(actor.userId, year));
  }

  @Route(endpoints.readYearAsPdf)
  @Header('Cache-Control', 'private, no-store')
  async pdf({ actor, params: { year } }: Call<typeof endpoints.readYearAsPdf>) {
    const printed = this.printer.printYear(await this.years.year(actor.userId, year), actor.displayName);
    return new StreamableFile(await printed, {
      type: 'application/pdf',
      disposition: `attachment; filename="offcut-${year}.pdf"`,
    });
  }

  @Route(endpoints.readYear)
  year({ actor, params: { year } }: Call<typeof endpoints.readYear>) {
    return this.years.year(actor.userId, year);
  }
}
