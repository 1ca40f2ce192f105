import { recordMovement } from './resources/balance-transactions.js';
import type { World } from './world.js';

/** Our money that Stripe withholds from our balance for a while. */
export interface Reserve {
  id: string;
  amount: number;
  /** Simulated time, seconds since 1970. */
  releasedAt: number;
}

export function holdReserve(world: World, amount: number, days: number): Reserve {
  const reserve = { id: world.id('rsv'), amount, releasedAt: world.now() + days * 86_400 };
  world.state.reserves.push(reserve);
  const { id: source } = reserve;
  recordMovement(world, { type: 'reserve_hold', amount: -amount, source, description: null });
  return reserve;
}

export function releaseReserve(world: World, reserve: Reserve): void {
  const { id: source, amount } = reserve;
  world.state.reserves = world.state.reserves.filter(({ id }) => id !== source);
  recordMovement(world, { type: 'reserve_release', amount, source, description: null });
}
