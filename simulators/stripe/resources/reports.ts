import type Stripe from 'stripe';
import { invalid, noSuch } from '../faults.js';
import { FileContents, list, page, show, type Call, type Routes } from '../router.js';
import type { World } from '../world.js';
import { balanceReport } from './balance.js';

/** The report types, each with a test of the movements that it contains. As at Stripe, payouts have their own type. */
const TYPES: Record<string, (transaction: Stripe.BalanceTransaction) => boolean> = {
  'balance_change_from_activity.itemized.3': ({ type }) => !type.startsWith('payout'),
  'payouts.itemized.3': ({ type }) => type.startsWith('payout'),
};

const HALF_DAY_SECONDS = 43_200;
/** Stripe prepares the data of reports twice a day. */
const availableUntil = (world: World): number => world.now() - (world.now() % HALF_DAY_SECONDS);

function create({ world, parameters }: Call): Stripe.Reporting.ReportRun {
  const type = parameters.required('report_type');
  if (!TYPES[type]) throw invalid(`No such report type: '${type}'`, 'report_type');
  const wanted = parameters.nested('parameters', (inner) => ({
    interval_start: inner.integer('interval_start') ?? 0,
    interval_end: inner.integer('interval_end') ?? 0,
    columns: inner.texts('columns') ?? [],
  }));
  parameters.done();
  const { interval_start: start = 0, interval_end: end = 0 } = wanted ?? {};
  if (start >= end) throw invalid('interval_start must be before interval_end', 'parameters[interval_start]');
  if (end > availableUntil(world))
    throw invalid('interval_end must not be after data_available_end', 'parameters[interval_end]');
  return world.add('reportRuns', {
    id: world.id('frr'),
    object: 'reporting.report_run',
    created: world.now(),
    error: null,
    livemode: false,
    parameters: wanted ?? {},
    report_type: type,
    result: null,
    status: 'pending',
    succeeded_at: null,
  });
}

function read({ world, id }: Call): Stripe.Reporting.ReportRun {
  const run = world.find('reportRuns', id);
  if (run.status !== 'pending') return run;
  const fileId = world.id('file');
  const result = {
    id: fileId,
    object: 'file',
    created: world.now(),
    filename: `${run.id}.csv`,
    purpose: 'finance_report_run',
    type: 'csv',
    url: `${world.base()}/v1/files/${fileId}/contents`,
  } as Stripe.File;
  return Object.assign(run, { status: 'succeeded', succeeded_at: world.now(), result });
}

function contents({ world, pathname }: Call): FileContents {
  const fileId = pathname.split('/')[3] ?? '';
  const run = world.all('reportRuns').find(({ result }) => result?.id === fileId);
  if (!run) throw noSuch('file', fileId);
  const { interval_start: start = 0, interval_end: end = 0, columns } = run.parameters;
  const isOfType = TYPES[run.report_type];
  return new FileContents(
    balanceReport(
      world,
      (each) => each.created >= start && each.created < end && Boolean(isOfType?.(each)),
      columns,
    ),
  );
}

export const reportRoutes: Routes = {
  'GET /v1/reporting/report_types/:id': show(({ world, id }) => {
    if (!TYPES[id]) throw noSuch('report_type', id);
    return {
      id,
      object: 'reporting.report_type',
      data_available_start: 0,
      data_available_end: availableUntil(world),
      default_columns: null,
      livemode: false,
      name: id,
      updated: availableUntil(world),
      version: 3,
    };
  }),
  'POST /v1/reporting/report_runs': create,
  'GET /v1/reporting/report_runs': list('reportRuns'),
  'GET /v1/reporting/report_runs/:id': show(read),
  'GET /v1/files': (call) => {
    call.parameters.oneOf('purpose', ['finance_report_run']);
    return page(
      call.world.all('reportRuns').flatMap(({ result }) => result ?? []),
      call,
    );
  },
  'GET /v1/files/:id/contents': show(contents),
};
