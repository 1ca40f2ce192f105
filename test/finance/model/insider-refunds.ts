import type { CommandBus } from '@nestjs/cqrs';
import {
  DecideOnRequest,
  type DecideOnRequestHandler,
} from '../../../application/approvals/decide-on-request.js';
import { RequestRefund, RequestRefundHandler } from '../../../application/administration/request-money.js';
import type { RefundRequest, RefundResult } from '../../../application/payments/refund-invoice.js';
import type { InvoiceLots, LotOfInvoice } from '../../../application/payments/invoice-lots.js';
import type { Clock } from '../../../application/shared/clock.js';
import type { Streams } from '../../../application/shared/streams.js';

const DAY = 86_400_000;
/** The limit of refunds by one person alone in a day. */
const ALONE_MICRO_USD = 200_000_000;

interface Invoice {
  id: string;
  user: string;
  paid: number;
  left: number;
}

interface Asked {
  id: string;
  by: string;
  invoice: Invoice;
  /** The unspent amount when a second person was first asked. */
  amount?: number;
}

/** The part of the insider world that refunds use. */
interface House {
  now: number;
  streams: Streams;
  below: (count: number) => number;
  pick: <Item>(items: readonly Item[]) => Item;
  id: () => string;
  /** Throws if this person may not approve now. */
  allowed: (by: string, asker: string, beneficiary: string) => void;
}

/** Refunds the unspent part of an invoice. Throws if the refund should not have been possible. */
export class InsiderRefunds {
  readonly invoices: Invoice[] = [];
  private readonly asked: Asked[] = [];
  private readonly alone: { by: string; amount: number; at: number }[] = [];
  private readonly done = new Set<string>();
  private approving = '';
  private readonly request: RequestRefundHandler;
  private readonly decide: DecideOnRequestHandler;

  constructor(
    private readonly house: House,
    { decide, bus, clock }: { decide: DecideOnRequestHandler; bus: CommandBus; clock: Clock },
  ) {
    const { streams } = house;
    const lots = {
      find: async (of: { invoiceId?: string }) =>
        this.invoices
          .filter(({ id }) => id === of.invoiceId)
          .map(({ user: userId }) => ({ userId, payerId: userId }) as LotOfInvoice),
    } as unknown as InvoiceLots;
    this.request = new RequestRefundHandler(streams, lots, bus, clock);
    this.decide = decide;
  }

  give({ refundId, of, by, approvedBy, mostMicroUsd = Infinity }: RefundRequest): RefundResult {
    const invoice = this.invoices.find(({ id }) => 'invoiceId' in of && id === of.invoiceId) as Invoice;
    const accepted = { accepted: true, status: 'refunded' } as RefundResult;
    if (this.done.has(refundId)) return accepted;
    const { left: amount, user } = invoice;
    if (amount === 0) return { accepted: false, rejection: { code: 'NothingToRefund' } };
    if (amount > mostMicroUsd)
      return { accepted: false, rejection: { code: 'RefundTooLarge', amountMicroUsd: amount } };
    if (by === user) throw new Error(`${by} refunds themself`);
    if (approvedBy === undefined) {
      const { now } = this.house;
      this.alone.push({ by, amount, at: now });
      const recent = this.alone.filter((each) => each.by === by && each.at > now - DAY);
      if (recent.reduce((sum, each) => sum + each.amount, 0) > ALONE_MICRO_USD)
        throw new Error(`${by} alone refunds too many dollars in a day`);
    } else {
      if (this.approving !== approvedBy) throw new Error(`${approvedBy} agreed to nothing now`);
      this.house.allowed(approvedBy, by, user);
      const asked = this.asked.find(({ id }) => id === refundId);
      if (amount > (asked?.amount ?? 0))
        throw new Error(`${amount} go back, ${asked?.amount} were agreed to`);
    }
    this.done.add(refundId);
    invoice.left = 0;
    return accepted;
  }

  /** A user pays, spends a part of it, or gets spent credits back. */
  trade(user: string): string {
    const { below, pick, id } = this.house;
    const own = this.invoices.filter((each) => each.user === user);
    if (own.length === 0 || below(3) === 0) {
      const paid = (1 + below(500)) * 1_000_000;
      this.invoices.push({ id: id(), user, paid, left: paid });
      return 'pays';
    }
    const invoice = pick(own);
    invoice.left = Math.floor((invoice.paid * below(5)) / 4);
    return 'spends';
  }

  /** A person with the role requests a refund, or sometimes repeats the last request. */
  async ask(by: string): Promise<string> {
    const { below, pick, id } = this.house;
    if (this.invoices.length === 0) return 'nothing to refund';
    const again = below(4) === 0 ? this.asked.at(-1) : undefined;
    const asked: Asked = again ?? { id: id(), by, invoice: pick(this.invoices) };
    if (!again) this.asked.push(asked);
    const { id: refundId, invoice } = asked;
    const answer = await this.request.execute(
      new RequestRefund({ refundId, by: asked.by, of: { invoiceId: invoice.id }, explanation: 'why' }),
    );
    if (!answer.accepted) return answer.rejection.code;
    if (answer.status === 'waiting') asked.amount ??= invoice.left;
    return answer.status;
  }

  async agree(by: string): Promise<string> {
    if (this.asked.length === 0) return 'nothing waits';
    const { id } = this.house.pick(this.asked);
    this.approving = by;
    const answer = await this.decide.execute(new DecideOnRequest(id, by, { type: 'Approve' }));
    this.approving = '';
    return answer.accepted ? answer.status : answer.rejection.code;
  }
}
