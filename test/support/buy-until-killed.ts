/**
 * A node of the batched executor in a process of its own. It makes the given purchases and prints each
 * answered order on a line.
 * Its first argument is a `BuyingOrders` in JSON. It exits by itself only after the last purchase.
 */
import pg from 'pg';
import { Database } from '../../adapters/platform/database/database.js';
import { executorOn, purchaseOf } from './stock.js';
import { orderOf, type BuyingOrders } from './kill-orders.js';

const { url, open, from, to, inFlight, crash } = JSON.parse(process.argv[2] as string) as BuyingOrders;
if (crash) killAt(crash);
const { executor } = executorOn(new Database(url));
let next = from;
await Promise.all(
  Array.from({ length: inFlight }, async () => {
    for (let n = open.shift() ?? next++; n < to; n = open.shift() ?? next++) {
      const { buyerId, sampleId, key } = orderOf(n);
      const { outcome } = await executor.buy(purchaseOf(buyerId, [sampleId], { key }));
      if (outcome.status !== 'bought') throw new Error(`${key}: ${JSON.stringify(outcome)}`);
      // Pipes are written synchronously here, so every printed order was answered.
      process.stdout.write(`${n}\n`);
    }
  }),
);
process.exit();

/** Kills this process at a certain statement to the database, when it is sent for the `after`-th time. */
function killAt({ statement, moment, after }: NonNullable<BuyingOrders['crash']>): void {
  let left = after;
  const send = pg.Client.prototype.query as (this: pg.Client, ...given: unknown[]) => unknown;
  const die = () => process.kill(process.pid, 'SIGKILL');
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]): unknown {
    const [asked] = given as [string | { name?: string }];
    const name = typeof asked === 'string' ? asked : (asked.name ?? '');
    const isHere = name.startsWith(statement) && --left <= 0;
    if (isHere && moment === 'before') die();
    const callback = given.findIndex((argument) => typeof argument === 'function');
    if (isHere && moment === 'answered' && callback >= 0) given[callback] = die;
    const answer = send.apply(this, given);
    if (isHere && moment === 'sent') setImmediate(die);
    if (isHere && moment === 'answered' && callback < 0) (answer as Promise<unknown>).then(die, die);
    return answer;
  } as typeof pg.Client.prototype.query;
}
