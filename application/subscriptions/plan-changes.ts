import { Injectable } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { isRunning, subscriptionDecider, whyUnpaid } from '../../domain/subscriptions/subscription.js';
import {
  type AwaitedPayment,
  type ChangeFailure,
  type OpenChange,
  type SubscriptionRejection,
  type ChangeRequest,
} from '../../domain/subscriptions/subscription-messages.js';
import { decideInOrder } from '../../domain/shared/decision.js';
import { Clock } from '../shared/clock.js';
import {
  ChangeRefused,
  PaymentDeclined,
  PaymentGateway,
  PaymentGatewayUnavailable,
} from '../payments/payment-gateway.js';
import { PaymentRecords } from '../payments/payment-records.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';
import { Streams } from '../shared/streams.js';
import { providerStatusOf, providerCommands } from './provider-status.js';

/** Finishes a plan change that the listener's request left open. Fails while the provider's outcome is unknown. */
export class FinishPlanChange extends Command<{ accepted: true; isClosed: boolean }> {
  constructor(readonly userId: string) {
    super();
  }
}

/** The sweep finishes changes older than this, because the requests that reserved them have ended. */
const SETTLING_MS = 60_000;

/** The sweep abandons older changes: the provider may have deleted the idempotency key, so a retry could act twice. */
const ASKED_WITHIN_MS = 60 * 60_000;

const CHANGES_A_RUN = 100;

const ACTOR = 'system:plan-changes';

type AwaitingChange = OpenChange & { awaits: AwaitedPayment };

const awaitsPayer = (change: OpenChange): change is AwaitingChange => change.awaits !== null;

/** The state of a change: done, failed for a reason, waiting for its payer, or open while the outcome is unknown. */
export type ChangeOutcome = 'done' | ChangeFailure | 'awaits payer' | 'open';

export type ReservedChange =
  | { outcome: 'reserved'; subscriptionId: string; change: OpenChange }
  | { outcome: 'nothing to do' }
  | { outcome: 'refused'; rejection: SubscriptionRejection };

/** Changes plans one at a time: reserves a change in the stream, requests it from the provider, and closes it. */
@Injectable()
export class PlanChanges {
  constructor(
    private readonly streams: Streams,
    private readonly gateway: PaymentGateway,
    private readonly records: PaymentRecords,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  /** Records a change before we ask the provider, so that only one change is open and a crash leaves a record. */
  async reserve(userId: string, request: ChangeRequest, requestKey: string): Promise<ReservedChange> {
    const metadata = { actor: userId, correlationId: requestKey };
    return this.streams.transact(metadata, async (work): Promise<ReservedChange> => {
      const stream = await work.open(subscriptionDecider, userId);
      const subscription = stream.state;
      const running = isRunning(subscription);
      // The client lost the answer, and repeats the request that reserved the change.
      if (running && subscription.openChange?.requestKey === requestKey)
        return {
          outcome: 'reserved',
          subscriptionId: subscription.subscriptionId,
          change: subscription.openChange,
        };
      const changeId = running ? `${subscription.subscriptionId}-${stream.version + 1}` : '';
      const now = this.clock.now().toISOString();
      const command = { type: 'RequestChange', userId, request, changeId, requestKey, now } as const;
      const decision = stream.decide(command);
      if (!decision.accepted) return { outcome: 'refused', rejection: decision.rejection };
      const [event] = decision.events;
      if (event?.type !== 'PlanChangeRequested') return { outcome: 'nothing to do' };
      const { subscriptionId, kind, plan } = event.data;
      // Fails before anything is reserved if the provider is unavailable.
      await this.gateway.readSubscription(subscriptionId);
      return {
        outcome: 'reserved',
        subscriptionId,
        change: { changeId, kind, plan, requestKey, requestedAt: now, awaits: null },
      };
    });
  }

  /** Safe to repeat: each change has its own idempotency key. @returns `open` if the sweep must retry */
  async carryOut(
    userId: string,
    subscriptionId: string,
    change: OpenChange,
    actor = userId,
  ): Promise<ChangeOutcome> {
    let failure: ChangeFailure | null = null;
    if (awaitsPayer(change)) return this.settle(userId, subscriptionId, change, actor);
    if (this.clock.now().getTime() - Date.parse(change.requestedAt) > ASKED_WITHIN_MS)
      return this.close(userId, subscriptionId, change, { actor, failure: 'ChangeAbandoned' });
    try {
      await this.ask(subscriptionId, change);
    } catch (error) {
      if (error instanceof PaymentDeclined) failure = 'PaymentDeclined';
      else if (error instanceof ChangeRefused) failure = 'ChangeRefused';
      else if (error instanceof PaymentGatewayUnavailable) return 'open';
      else throw error;
    }
    return this.close(userId, subscriptionId, change, { actor, failure });
  }

  /** Records the outcome that the provider reports. Records nothing while the change waits for its payer. */
  private async settle(userId: string, subscriptionId: string, change: AwaitingChange, actor: string) {
    const known = await this.gateway.readSubscription(subscriptionId);
    if (known?.awaits) return 'awaits payer';
    if (known?.plan !== change.plan) {
      const failure = whyUnpaid(change.awaits, this.clock.now());
      return this.close(userId, subscriptionId, change, { actor, failure });
    }
    // An upgrade that is paid at once cancels scheduled changes. An upgrade that is paid later must cancel them too.
    await this.gateway.withdrawScheduledChange(subscriptionId, keyOf(change));
    return this.close(userId, subscriptionId, change, { actor, failure: null });
  }

  /** Returns the page where the listener pays a waiting upgrade or a failed bill. Undefined if neither is open. */
  async paymentPage(userId: string): Promise<{ url: string } | undefined> {
    const subscription = await this.streams.load(subscriptionDecider, userId);
    const due = isRunning(subscription) ? (subscription.openChange?.awaits ?? subscription.overdue) : null;
    const url = due && (await this.gateway.readOpenInvoice(due.invoiceId))?.hostedUrl;
    return url ? { url } : undefined;
  }

  /** Withdraws a change that awaits its payer. If the payer has just paid, the change is completed instead. */
  async withdraw(userId: string): Promise<ChangeOutcome | 'nothing waits'> {
    const subscription = await this.streams.load(subscriptionDecider, userId);
    const change = isRunning(subscription) ? subscription.openChange : null;
    if (!isRunning(subscription) || !change) return 'nothing waits';
    if (!awaitsPayer(change)) return 'open';
    await this.gateway.forgetUpgrade(change.awaits.invoiceId, `${change.changeId}:forget`);
    return this.settle(userId, subscription.subscriptionId, change, userId);
  }

  /** Records the outcome of a change together with the subscription's present state. */
  private async close(
    userId: string,
    subscriptionId: string,
    { changeId, requestKey }: OpenChange,
    { actor, failure }: { actor: string; failure: ChangeFailure | null },
  ): Promise<ChangeOutcome> {
    try {
      return await this.streams.transact({ actor, correlationId: requestKey }, async (work) => {
        const stream = await work.open(subscriptionDecider, userId);
        const known = await this.gateway.readSubscription(subscriptionId);
        const providerStatus = known ? providerStatusOf(known) : null;
        const now = this.clock.now().toISOString();
        const close = { type: 'CloseChange', userId, changeId, providerStatus, failure, now } as const;
        const commands = [...providerCommands({ userId, subscriptionId, now, known }), close];
        stream.add(decideInOrder(subscriptionDecider, commands, stream.state).events);
        if (isRunning(stream.state) && stream.state.openChange?.changeId === changeId) return 'awaits payer';
        const done = stream.events.some(({ type }) => type === 'PlanChangeCompleted');
        return done || failure === null ? 'done' : failure;
      });
    } catch (error) {
      if (error instanceof PaymentGatewayUnavailable) return 'open';
      throw error;
    }
  }

  private async ask(subscriptionId: string, change: OpenChange): Promise<void> {
    const { kind, plan } = change;
    const key = keyOf(change);
    switch (kind) {
      case 'upgrade':
        return this.gateway.upgrade(subscriptionId, plan as NonNullable<typeof plan>, key);
      case 'downgrade':
        return this.gateway.scheduleDowngrade(subscriptionId, plan as NonNullable<typeof plan>, key);
      case 'cancel':
        return this.gateway.scheduleCancellation(subscriptionId, key);
      case 'resume':
        return this.gateway.withdrawScheduledChange(subscriptionId, key);
    }
  }

  /** @returns whether the change was closed @throws PaymentGatewayUnavailable while the outcome is unknown */
  async finish(userId: string): Promise<boolean> {
    const subscription = await this.streams.load(subscriptionDecider, userId);
    if (!isRunning(subscription)) return false;
    const { subscriptionId, openChange } = subscription;
    if (!openChange) return false;
    const outcome = await this.carryOut(userId, subscriptionId, openChange, ACTOR);
    if (outcome === 'open') throw new PaymentGatewayUnavailable(`the change of ${userId} is still open`);
    return outcome !== 'awaits payer';
  }

  /** Finishes changes that requests left open. @throws the last failure, after all changes were tried */
  async sweep(settlingMs = SETTLING_MS): Promise<{ closed: number }> {
    const settled = new Date(this.clock.now().getTime() - settlingMs);
    let closed = 0;
    await forEachCollectingErrors(await this.records.openChanges(settled, CHANGES_A_RUN), async (userId) => {
      if ((await this.commands.execute(new FinishPlanChange(userId))).isClosed) closed += 1;
    });
    return { closed };
  }
}

const keyOf = ({ changeId, kind, plan }: OpenChange): string => `${changeId}-${plan ?? kind}`;

@CommandHandler(FinishPlanChange)
export class FinishPlanChangeHandler implements ICommandHandler<FinishPlanChange> {
  constructor(private readonly changes: PlanChanges) {}

  async execute({ userId }: FinishPlanChange): Promise<CommandResult<FinishPlanChange>> {
    return { accepted: true, isClosed: await this.changes.finish(userId) };
  }
}
