import { alertDecider, type AlertCommand } from '../../../domain/alerts/alert.js';
import { dispute, someInvoice } from './paying.js';
import type { Inquiry, World } from './world.js';

const inquiryOf = (disputeId: string): string => `inquiry-${disputeId}`;

/** A bank opens an inquiry without taking money. Later it closes the inquiry or takes the money. */
export function inquire(world: World): void {
  const { inquiries } = world;
  const now = world.nowIso;
  const told = (disputeId: string, command: AlertCommand, expected: number): void => {
    for (const count of [expected, 0]) {
      const state = inquiries.get(disputeId)?.state ?? alertDecider.initialState;
      const decided = alertDecider.decide(command, state);
      world.same(decided.accepted && decided.events.length, count, `events of ${command.type}`);
      if (!decided.accepted) return;
      const inquiry = inquiries.get(disputeId);
      if (inquiry) inquiry.state = decided.events.reduce(alertDecider.evolve, state);
    }
  };
  const [open] = inquiries.keys();
  if (open === undefined || world.oneIn(2)) {
    const lots = someInvoice(world);
    if (!lots) return;
    const disputeId = world.id('dp_');
    inquiries.set(disputeId, { lots, state: alertDecider.initialState });
    const alert = { key: inquiryOf(disputeId), kind: 'inquiry', text: 'A bank asks', item: disputeId };
    told(disputeId, { type: 'RaiseAlert', alert, now }, 1);
    world.did = 'asked';
    return;
  }
  told(open, { type: 'SettleAlert', key: inquiryOf(open), now }, 1);
  const { lots } = inquiries.get(open) as Inquiry;
  inquiries.delete(open);
  if (world.oneIn(3)) world.did = 'rests';
  else {
    dispute(world, lots, open);
    world.did = `and disputed, ${world.did}`;
  }
}
