import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decideInOrder } from '../../domain/shared/decision.js';
import type { PlanId } from '../../domain/subscriptions/plans.js';
import { isRunning, subscriptionDecider, whyUnpaid } from '../../domain/subscriptions/subscription.js';
import {
  type AwaitedPayment,
  type ProviderStatus,
  type SubscriptionCommand,
  type SubscriptionEvent,
} from '../../domain/subscriptions/subscription-messages.js';

const now = '2026-11-21T08:00:00.000Z';
const PERIOD = { periodStart: '2026-11-20T12:00:00.000Z', periodEnd: '2026-12-20T12:00:00.000Z' };
const about = { userId: 'ada', now };
const subject = { userId: 'ada', subscriptionId: 'sub_1' };

/** A provider that charges a change at once, after its payer has paid, or never. */
class Provider {
  plan: PlanId = 'starter';
  cancelAtPeriodEnd = false;
  awaits: (AwaitedPayment & { plan: PlanId; changeId: string }) | null = null;
  readonly asked = new Set<string>();
  readonly charged: string[] = [];

  charge(changeId: string, plan: PlanId): void {
    this.charged.push(changeId);
    Object.assign(this, { plan, awaits: null, cancelAtPeriodEnd: false });
  }
  get status(): ProviderStatus {
    const { plan, cancelAtPeriodEnd, awaits } = this;
    const open = awaits && { ...awaits, changeId: undefined };
    const rest = { scheduledPlan: null, awaits: open, overdue: null, unpaid: false };
    return { status: 'active', ...PERIOD, plan, cancelAtPeriodEnd, ...rest };
  }
}

const STEPS = [
  'up',
  'cancel',
  'resume',
  'paid',
  'asks',
  'refused',
  'close',
  'hear',
  'pay',
  'forget',
] as const;

it('[CRED-46] in every order of requests, answers, payments and reports: one open change, one charge at most each, and what is told is so', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...STEPS), { maxLength: 40, size: 'max' }), (steps) => {
      const provider = new Provider();
      const started: SubscriptionEvent = {
        type: 'SubscriptionStarted',
        data: { ...subject, plan: 'starter', invoiceId: 'in_1', ...PERIOD, at: now },
      };
      const log: SubscriptionEvent[] = [started];
      const state = () => log.reduce(subscriptionDecider.evolve, subscriptionDecider.initialState);
      const open = () => {
        const current = state();
        return isRunning(current) ? current.openChange : null;
      };
      const send = (...commands: SubscriptionCommand[]) => {
        log.push(...decideInOrder(subscriptionDecider, commands, state()).events);
      };
      const heard = (): SubscriptionCommand => ({
        type: 'RecordProviderStatus',
        ...subject,
        ...about,
        providerStatus: provider.status,
      });
      const request = (wish: Extract<SubscriptionCommand, { type: 'RequestChange' }>['request']) =>
        send({
          type: 'RequestChange',
          ...about,
          request: wish,
          changeId: `sub_1-${log.length + 1}`,
          requestKey: `key-${log.length}`,
        });
      const act = (step: (typeof STEPS)[number]): void => {
        const change = open();
        const isNew = change && !provider.asked.has(change.changeId);
        if (step === 'up') {
          const current = state();
          const plan = isRunning(current) && current.plan === 'starter' ? 'premium' : 'studio';
          return request({ type: 'ChangePlan', plan });
        }
        if (step === 'cancel') return request({ type: 'ScheduleCancellation' });
        if (step === 'resume') return request({ type: 'WithdrawScheduledChange' });
        if (step === 'hear') return send(heard());
        if (step === 'pay' && provider.awaits)
          return provider.charge(provider.awaits.changeId, provider.awaits.plan);
        if (step === 'forget') return void (provider.awaits = null);
        if (step === 'close' && change) {
          const { changeId, awaits } = change;
          const isDone =
            provider.charged.includes(changeId) || (isNew === false && change.kind !== 'upgrade');
          const why = awaits ? whyUnpaid(awaits, new Date(now)) : 'ChangeAbandoned';
          const providerStatus = provider.status;
          return send(heard(), {
            type: 'CloseChange',
            ...about,
            changeId,
            providerStatus,
            failure: isDone ? null : why,
          });
        }
        if (!isNew) return;
        provider.asked.add(change.changeId);
        if (change.kind === 'cancel') provider.cancelAtPeriodEnd = true;
        if (change.kind === 'resume') provider.cancelAtPeriodEnd = false;
        if (change.kind !== 'upgrade' || !change.plan || step === 'refused') return;
        const { changeId, plan } = change;
        if (step === 'paid') provider.charge(changeId, plan);
        const waits = { invoiceId: `in_${changeId}`, needs: 'confirmation', expiresAt: now } as const;
        if (step === 'asks') provider.awaits = { changeId, plan, ...waits };
      };
      for (const step of steps) {
        act(step);
        const of = (...types: SubscriptionEvent['type'][]) => log.filter(({ type }) => types.includes(type));
        const begun = of('PlanChangeRequested').length;
        const ended = of('PlanChangeCompleted', 'PlanChangeFailed').length;
        expect(begun - ended).toBe(open() ? 1 : 0);
        expect(new Set(provider.charged).size).toBe(provider.charged.length);
        for (const { type, data } of log) {
          if (type === 'PlanChangeFailed') expect(provider.charged).not.toContain(data.changeId);
          if (type !== 'PlanChangeCompleted') continue;
          const asked = log.find(
            (event) => event.type === 'PlanChangeRequested' && event.data.changeId === data.changeId,
          );
          if (asked?.type === 'PlanChangeRequested' && asked.data.kind === 'upgrade')
            expect(provider.charged).toContain(data.changeId);
        }
      }
    }),
    { numRuns: 500 },
  );
});
