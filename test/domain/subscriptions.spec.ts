import { describe, expect, it } from '@jest/globals';
import { PLANS, planOf, type PlanId } from '../../domain/subscriptions/plans.js';
import { subscriptionDecider, whyUnpaid } from '../../domain/subscriptions/subscription.js';
import {
  type ChangeFailure,
  type OpenChange,
  type ProviderStatus,
  type SubscriptionCommand,
  type SubscriptionEvent,
  type ChangeRequest,
} from '../../domain/subscriptions/subscription-messages.js';

const NOVEMBER = { periodStart: '2026-11-20T12:00:00.000Z', periodEnd: '2026-12-20T12:00:00.000Z' };
const DECEMBER = { periodStart: '2026-12-20T12:00:00.000Z', periodEnd: '2027-01-20T12:00:00.000Z' };
const MID_NOVEMBER = { periodStart: '2026-11-25T09:00:00.000Z', periodEnd: '2026-12-25T09:00:00.000Z' };
const now = '2026-11-21T08:00:00.000Z';
const ada = { userId: 'ada', subscriptionId: 'sub_1' };

const given = (...events: SubscriptionEvent[]) => {
  const state = events.reduce(subscriptionDecider.evolve, subscriptionDecider.initialState);
  return {
    state,
    when: (command: SubscriptionCommand) => {
      const decision = subscriptionDecider.decide(command, state);
      const after = decision.accepted ? decision.events.reduce(subscriptionDecider.evolve, state) : state;
      return {
        after,
        then: (...expected: object[]) => {
          expect(decision).toMatchObject({ accepted: true, events: expected });
          expect(decision.accepted && decision.events).toHaveLength(expected.length);
          return after;
        },
        nothing: () => expect(decision).toEqual({ accepted: true, events: [] }),
        refused: (rejection: object) => expect(decision).toEqual({ accepted: false, rejection }),
      };
    },
  };
};

const started = (plan: 'starter' | 'premium' | 'studio' = 'premium'): SubscriptionEvent => ({
  type: 'SubscriptionStarted',
  data: { ...ada, plan, invoiceId: 'in_1', ...NOVEMBER, at: now },
});
const renewed: SubscriptionEvent = {
  type: 'SubscriptionRenewed',
  data: { ...ada, plan: 'premium', invoiceId: 'in_2', ...DECEMBER, at: now },
};
const failed: SubscriptionEvent = { type: 'PaymentFailed', data: { ...ada, at: now } };
const cancelling: SubscriptionEvent = {
  type: 'CancellationScheduled',
  data: { ...ada, effectiveAt: NOVEMBER.periodEnd, at: now },
};
const downgrading: SubscriptionEvent = {
  type: 'DowngradeScheduled',
  data: { ...ada, plan: 'starter', effectiveAt: NOVEMBER.periodEnd, at: now },
};
const ended: SubscriptionEvent = {
  type: 'SubscriptionEnded',
  data: { ...ada, plan: 'premium', periodStart: NOVEMBER.periodStart, at: now },
};

const paid = (
  invoiceId: string,
  period: typeof NOVEMBER,
  plan: 'starter' | 'premium' | 'studio' = 'premium',
  subscriptionId = 'sub_1',
): SubscriptionCommand => ({
  type: 'RecordPaidInvoice',
  userId: 'ada',
  subscriptionId,
  invoiceId,
  plan,
  ...period,
  now,
});
const providerStatus = (
  change: Partial<ProviderStatus> = {},
  subscriptionId = 'sub_1',
): SubscriptionCommand => ({
  type: 'RecordProviderStatus',
  userId: 'ada',
  subscriptionId,
  providerStatus: {
    status: 'active',
    plan: 'premium',
    ...NOVEMBER,
    cancelAtPeriodEnd: false,
    scheduledPlan: null,
    awaits: null,
    overdue: null,
    unpaid: false,
    ...change,
  },
  now,
});
const wanted = { userId: 'ada', now };
const request = (wished: ChangeRequest, changeId = 'sub_1-2'): SubscriptionCommand => ({
  type: 'RequestChange',
  ...wanted,
  request: wished,
  changeId,
  requestKey: 'key-1',
});
const cancel = request({ type: 'ScheduleCancellation' });
const resume = request({ type: 'WithdrawScheduledChange' });
const moveTo = (plan: PlanId) => request({ type: 'ChangePlan', plan });
const requested = (kind: OpenChange['kind'], plan: PlanId | null = null): SubscriptionEvent => ({
  type: 'PlanChangeRequested',
  data: { ...ada, at: now, changeId: 'sub_1-2', kind, plan, requestKey: 'key-1' },
});
const close = (failure: ChangeFailure | null, seen: Partial<ProviderStatus> = {}, changeId = 'sub_1-2') =>
  ({
    type: 'CloseChange',
    ...wanted,
    changeId,
    failure,
    providerStatus: (providerStatus(seen) as Extract<SubscriptionCommand, { type: 'RecordProviderStatus' }>)
      .providerStatus,
  }) as const;

describe('plans', () => {
  it('[CRED-01] are the three of the price list', () => {
    expect(
      PLANS.map(({ id, priceUsdCents, credits, popular }) => [id, priceUsdCents, credits, popular]),
    ).toEqual([
      ['starter', 999, 50, false],
      ['premium', 1599, 100, true],
      ['studio', 1999, 150, false],
    ]);
    expect(planOf('premium').features).toContain('Priority support');
    expect(planOf('studio').features).toContain('Stems when available');
  });
});

describe('starting', () => {
  it('done: the first paid invoice starts the subscription', () => {
    const after = given()
      .when(paid('in_1', NOVEMBER))
      .then({ type: 'SubscriptionStarted', data: { plan: 'premium', invoiceId: 'in_1' } });
    expect(after).toMatchObject({ status: 'Active', plan: 'premium', ...NOVEMBER, scheduled: null });
  });
  it('refused: a second subscription beside a running one', () => {
    given(started())
      .when({ type: 'Subscribe', ...wanted, plan: 'studio' })
      .refused({ code: 'SubscriptionExists', plan: 'premium' });
    given(started(), failed)
      .when({ type: 'Subscribe', ...wanted, plan: 'studio' })
      .refused({ code: 'SubscriptionExists', plan: 'premium' });
    given(started())
      .when(paid('in_9', MID_NOVEMBER, 'studio', 'sub_2'))
      .refused({ code: 'SubscriptionExists', plan: 'premium' });
  });
  it('repeated: the same invoice again changes nothing', () => {
    given(started()).when(paid('in_1', NOVEMBER)).nothing();
  });
  it('raced: a renewal that arrives before the first invoice counts, the first then changes nothing', () => {
    const first = given().when(paid('in_2', DECEMBER));
    first.then({ type: 'SubscriptionStarted', data: { ...DECEMBER } });
    expect(subscriptionDecider.decide(paid('in_1', NOVEMBER), first.after)).toEqual({
      accepted: true,
      events: [],
    });
  });
  it('again after the end of an earlier one', () => {
    given(started(), ended)
      .when({ type: 'Subscribe', ...wanted, plan: 'starter' })
      .nothing();
    given(started(), ended)
      .when(paid('in_9', DECEMBER, 'starter', 'sub_2'))
      .then({ type: 'SubscriptionStarted', data: { subscriptionId: 'sub_2' } });
    given(started(), ended)
      .when(
        paid(
          'in_0',
          { periodStart: '2026-10-20T12:00:00.000Z', periodEnd: NOVEMBER.periodStart },
          'starter',
          'sub_0',
        ),
      )
      .nothing();
  });
  it('a status alone starts nothing: only money does', () => {
    given().when(providerStatus()).nothing();
  });
});

describe('renewing', () => {
  it('done: the next paid invoice moves the period', () => {
    expect(given(started()).when(paid('in_2', DECEMBER)).then({ type: 'SubscriptionRenewed' })).toMatchObject(
      { status: 'Active', ...DECEMBER },
    );
  });
  it('repeated, and late: an invoice of a period already passed changes nothing', () => {
    given(started(), renewed).when(paid('in_2', DECEMBER)).nothing();
    given(started(), renewed).when(paid('in_1', NOVEMBER)).nothing();
  });
  it('[CRED-08] a failed payment makes it past due, once, and a later payment active again', () => {
    expect(
      given(started())
        .when(providerStatus({ status: 'past due', ...DECEMBER }))
        .then({ type: 'PaymentFailed' }),
    ).toMatchObject({ status: 'PastDue', ...NOVEMBER });
    given(started(), failed)
      .when(providerStatus({ status: 'past due', ...DECEMBER }))
      .nothing();
    given(started(), failed)
      .when(providerStatus({ status: 'active', ...DECEMBER }))
      .nothing();
    expect(
      given(started(), failed).when(paid('in_2', DECEMBER)).then({ type: 'SubscriptionRenewed' }),
    ).toMatchObject({ status: 'Active' });
  });
});

describe('cancelling', () => {
  it('[CRED-07] done: takes effect at period end, once the provider says so', () => {
    const reserved = given(started())
      .when(cancel)
      .then({ type: 'PlanChangeRequested', data: { kind: 'cancel', plan: null, changeId: 'sub_1-2' } });
    expect(reserved).toMatchObject({ status: 'Active', scheduled: null, openChange: { kind: 'cancel' } });
    const after = given(started(), requested('cancel'))
      .when(providerStatus({ cancelAtPeriodEnd: true }))
      .then({ type: 'CancellationScheduled', data: { effectiveAt: NOVEMBER.periodEnd } });
    expect(after).toMatchObject({
      status: 'Active',
      scheduled: { kind: 'cancel', effectiveAt: NOVEMBER.periodEnd },
    });
  });
  it('[CRED-07] can be withdrawn until then', () => {
    given(started(), cancelling)
      .when(resume)
      .then({ type: 'PlanChangeRequested', data: { kind: 'resume' } });
    expect(
      given(started(), cancelling, requested('resume'))
        .when(providerStatus())
        .then({ type: 'CancellationWithdrawn' }),
    ).toMatchObject({ scheduled: null });
  });
  it('refused: without a subscription, or with nothing scheduled', () => {
    given().when(cancel).refused({ code: 'NoSubscription' });
    given(started(), ended).when(cancel).refused({ code: 'NoSubscription' });
    given(started()).when(resume).refused({ code: 'NothingScheduled' });
  });
  it('repeated: once scheduled, again changes nothing', () => {
    given(started(), cancelling).when(cancel).nothing();
    given(started(), cancelling)
      .when(providerStatus({ cancelAtPeriodEnd: true }))
      .nothing();
  });
  it('raced: the provider’s word and ours agree whichever comes first', () => {
    given(started())
      .when(providerStatus({ cancelAtPeriodEnd: true }))
      .then({ type: 'CancellationScheduled', data: { effectiveAt: NOVEMBER.periodEnd } });
    given(started(), cancelling).when(providerStatus()).then({ type: 'CancellationWithdrawn' });
  });
  it('ends when the provider says so, once; late invoices of it change nothing', () => {
    expect(
      given(started(), cancelling)
        .when(providerStatus({ status: 'ended' }))
        .then({ type: 'SubscriptionEnded' }),
    ).toMatchObject({ status: 'Ended' });
    given(started(), ended)
      .when(providerStatus({ status: 'ended' }))
      .nothing();
    given(started(), ended).when(paid('in_2', DECEMBER)).nothing();
  });
});

describe('changing plans', () => {
  it('[CRED-07] up acts at once: allowed now, a fact when paid, with a new cycle', () => {
    given(started(), downgrading)
      .when(moveTo('studio'))
      .then({ type: 'PlanChangeRequested', data: { kind: 'upgrade', plan: 'studio' } });
    const byInvoice = given(started(), downgrading).when(paid('in_2', MID_NOVEMBER, 'studio'));
    const after = byInvoice.then({
      type: 'SubscriptionUpgraded',
      data: { fromPlan: 'premium', plan: 'studio' },
    });
    expect(after).toMatchObject({ status: 'Active', plan: 'studio', ...MID_NOVEMBER, scheduled: null });
  });
  it('[CRED-07] raced: the provider’s answer and the paid invoice record one upgrade', () => {
    const first = given(started()).when(providerStatus({ plan: 'studio', ...MID_NOVEMBER }));
    first.then({ type: 'SubscriptionUpgraded', data: { fromPlan: 'premium', plan: 'studio' } });
    expect(subscriptionDecider.decide(paid('in_2', MID_NOVEMBER, 'studio'), first.after)).toEqual({
      accepted: true,
      events: [],
    });
  });
  it('[CRED-07] up within the second that began the period counts, in either order', () => {
    given(started())
      .when(paid('in_2', NOVEMBER, 'studio'))
      .then({ type: 'SubscriptionUpgraded', data: { fromPlan: 'premium', plan: 'studio' } });
    given(started('studio'))
      .when(paid('in_1', NOVEMBER, 'premium'))
      .nothing();
  });
  it('[CRED-07] down waits for period end, can be withdrawn, and is fulfilled by the next paid invoice', () => {
    given(started())
      .when(moveTo('starter'))
      .then({ type: 'PlanChangeRequested', data: { kind: 'downgrade', plan: 'starter' } });
    given(started(), requested('downgrade', 'starter'))
      .when(providerStatus({ scheduledPlan: 'starter' }))
      .then({ type: 'DowngradeScheduled', data: { plan: 'starter', effectiveAt: NOVEMBER.periodEnd } });
    given(started(), downgrading).when(moveTo('starter')).nothing();
    given(started(), downgrading, requested('resume'))
      .when(providerStatus())
      .then({ type: 'DowngradeWithdrawn' });
    expect(
      given(started(), downgrading)
        .when(paid('in_2', DECEMBER, 'starter'))
        .then({ type: 'SubscriptionRenewed', data: { plan: 'starter' } }),
    ).toMatchObject({ plan: 'starter', scheduled: null });
  });
  it('a downgrade that has come to pass is not taken for withdrawn before its invoice is paid', () => {
    given(started(), downgrading)
      .when(providerStatus({ plan: 'starter', ...DECEMBER }))
      .nothing();
  });
  it('one scheduled change replaces another', () => {
    given(started(), downgrading)
      .when(providerStatus({ cancelAtPeriodEnd: true }))
      .then({ type: 'DowngradeWithdrawn' }, { type: 'CancellationScheduled' });
    given(started(), cancelling)
      .when(providerStatus({ scheduledPlan: 'starter' }))
      .then({ type: 'CancellationWithdrawn' }, { type: 'DowngradeScheduled' });
  });
  it('a renewal keeps what is scheduled for a later end', () => {
    const later: SubscriptionEvent = {
      type: 'CancellationScheduled',
      data: { ...ada, effectiveAt: DECEMBER.periodEnd, at: now },
    };
    expect(given(started(), later, renewed).state).toMatchObject({
      scheduled: { kind: 'cancel', effectiveAt: DECEMBER.periodEnd },
    });
  });
  it('refused: the same plan, no plan, or a payment overdue', () => {
    given(started()).when(moveTo('premium')).refused({ code: 'PlanUnchanged', plan: 'premium' });
    given().when(moveTo('premium')).refused({ code: 'NoSubscription' });
    given(started(), failed).when(moveTo('studio')).refused({ code: 'PaymentOverdue', plan: 'premium' });
  });
  it('what is said of another subscription changes nothing', () => {
    given(started())
      .when(providerStatus({ status: 'ended' }, 'sub_0'))
      .nothing();
  });
});

describe('one change at a time', () => {
  const open = [started(), requested('upgrade', 'studio')] as const;

  it.each([moveTo('studio'), moveTo('starter'), cancel, resume])(
    '[CRED-30] while one is under way another is refused: %j',
    (command) => {
      given(...open)
        .when(command)
        .refused({ code: 'ChangePending', kind: 'upgrade', plan: 'studio', requestedAt: now });
    },
  );
  it('[CRED-30] completed and failed let the next one in', () => {
    const completed = given(...open).when(close(null, { plan: 'studio', ...MID_NOVEMBER }));
    expect(completed.then({ type: 'PlanChangeCompleted' })).toMatchObject({ openChange: null });
    const declined = given(...open).when(close('PaymentDeclined'));
    declined.then({ type: 'PlanChangeFailed', data: { reason: 'PaymentDeclined' } });
    expect(subscriptionDecider.decide(cancel, declined.after)).toMatchObject({ accepted: true });
  });
  it('[CRED-30] what the provider did is completed, whatever was heard of it', () => {
    given(...open)
      .when(close('ChangeRefused', { plan: 'studio', ...MID_NOVEMBER }))
      .then({ type: 'PlanChangeCompleted' });
    for (const [kind, seen] of [
      ['cancel', { cancelAtPeriodEnd: true }],
      ['downgrade', { scheduledPlan: 'starter' }],
      ['resume', {}],
    ] as const)
      given(started(), requested(kind, kind === 'downgrade' ? 'starter' : null))
        .when(close('ChangeAbandoned', seen))
        .then({ type: 'PlanChangeCompleted' });
    given(started(), requested('cancel'))
      .when(close('ChangeAbandoned'))
      .then({ type: 'PlanChangeFailed', data: { reason: 'ChangeAbandoned' } });
  });
  it('closed twice is closed once, and another change is not closed for it', () => {
    given(started(), requested('cancel'))
      .when(close(null, {}, 'sub_1-9'))
      .nothing();
    given(started()).when(close(null)).nothing();
    given().when(close(null)).nothing();
  });
  it('stays open while invoices and statuses come in, and ends with the subscription', () => {
    expect(
      given(...open)
        .when(paid('in_2', MID_NOVEMBER, 'studio'))
        .then({ type: 'SubscriptionUpgraded' }),
    ).toMatchObject({ plan: 'studio', openChange: { kind: 'upgrade' } });
    expect(given(...open, renewed).state).toMatchObject({ openChange: { kind: 'upgrade' } });
    given(...open)
      .when(providerStatus({ status: 'ended' }))
      .then(
        { type: 'PlanChangeFailed', data: { reason: 'SubscriptionEnded' } },
        { type: 'SubscriptionEnded' },
      );
  });
});

describe('a bill that is not paid', () => {
  const overdue = { invoiceId: 'in_2', attempt: 1 };
  const first: SubscriptionEvent = { type: 'PaymentFailed', data: { ...ada, at: now, ...overdue } };
  const pastDue = (attempt: number) =>
    providerStatus({ status: 'past due', overdue: { ...overdue, attempt } });

  it('[CRED-45] is recorded once an attempt, also after it was recorded without', () => {
    given(started()).when(pastDue(1)).then({ type: 'PaymentFailed', data: overdue });
    given(started(), first).when(pastDue(1)).nothing();
    given(started(), first)
      .when(pastDue(3))
      .then({ type: 'PaymentFailed', data: { attempt: 3 } });
    given(started(), failed)
      .when(pastDue(2))
      .then({ type: 'PaymentFailed', data: { attempt: 2 } });
    given(started(), failed)
      .when(providerStatus({ status: 'past due' }))
      .nothing();
    expect(given(started(), first, renewed).state).toMatchObject({ status: 'Active', overdue: null });
  });
  it('[CRED-45] ends the plan, which says so', () => {
    given(started(), first)
      .when(providerStatus({ status: 'ended', unpaid: true }))
      .then({ type: 'SubscriptionEnded', data: { unpaid: true } });
  });
});

describe('an upgrade that awaits its payer', () => {
  const awaits = {
    plan: 'studio',
    invoiceId: 'in_2',
    needs: 'confirmation',
    expiresAt: '2026-11-22T07:00:00.000Z',
  } as const;
  const { plan: _, ...payment } = awaits;
  const open = [started(), requested('upgrade', 'studio')] as const;
  const awaiting: SubscriptionEvent = {
    type: 'PlanChangeAwaitsPayer',
    data: { ...ada, at: now, changeId: 'sub_1-2', ...payment },
  };

  it('[CRED-40] is recorded once, and again when the payer needs something else', () => {
    const after = given(...open)
      .when(providerStatus({ awaits }))
      .then({ type: 'PlanChangeAwaitsPayer', data: { changeId: 'sub_1-2', ...payment } });
    expect(after).toMatchObject({ plan: 'premium', openChange: { awaits: payment } });
    given(...open, awaiting)
      .when(providerStatus({ awaits }))
      .nothing();
    given(...open, awaiting)
      .when(providerStatus({ awaits: { ...awaits, needs: 'another card' } }))
      .then({ type: 'PlanChangeAwaitsPayer', data: { needs: 'another card' } });
  });
  it('[CRED-40] stays open, whatever is said of it, until the provider waits no longer', () => {
    for (const failure of [null, 'ChangeAbandoned', 'PaymentDeclined'] as const)
      given(...open, awaiting)
        .when(close(failure, { awaits }))
        .nothing();
    given(...open, awaiting)
      .when(cancel)
      .refused({ code: 'ChangePending', kind: 'upgrade', plan: 'studio', requestedAt: now });
    given(...open, awaiting)
      .when(close(null, { plan: 'studio', ...MID_NOVEMBER }))
      .then({ type: 'PlanChangeCompleted' });
    given(...open, awaiting)
      .when(close('PayerDidNotConfirm'))
      .then({ type: 'PlanChangeFailed', data: { reason: 'PayerDidNotConfirm' } });
  });
  it('is of the change that was asked for: another plan that waits is none of it', () => {
    given(...open)
      .when(providerStatus({ awaits: { ...awaits, plan: 'starter' } }))
      .nothing();
    given(started()).when(providerStatus({ awaits })).nothing();
    given(...open, awaiting)
      .when(providerStatus({ status: 'ended' }))
      .then({ type: 'PlanChangeFailed' }, { type: 'SubscriptionEnded' });
  });
  it.each([
    ['2026-11-21T08:00:00.000Z', 'ChangeWithdrawn'],
    ['2026-11-22T06:59:30.000Z', 'PayerDidNotConfirm'],
    ['2026-11-22T09:00:00.000Z', 'PayerDidNotConfirm'],
  ])('[CRED-41] forgotten at %s: %s', (at, reason) => {
    expect(whyUnpaid(payment, new Date(at))).toBe(reason);
  });
});
