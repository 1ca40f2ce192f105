import type { CreditBalance } from '../../../../application/credits/contract.js';
import type { Plan, Subscription } from '../../../../application/subscriptions/contract.js';
import { Badge } from '../../ui/badge.js';
import { countOf, formatDay, formatShortDay } from '../../ui/format.js';
import { Section } from '../../ui/section.js';
import { REASONS } from './transactions.js';

const INKS = ['#f8c33a', '#f6afc6', 'var(--accent)', '#a4d4ec', '#b5ddb4', '#cda06d'] as const;

/** A lot, or the last lots as one, which has a `name` of its own. */
type Lot = CreditBalance['lots'][number] & { name?: string };

/** Says when a lot of credits is spent. @param index the place of the lot among the `count` lots that can be spent */
function turnOf(index: number, count: number): string {
  if (count === 1) return '';
  if (index === 0) return 'spent first';
  return index === count - 1 ? 'last' : 'then';
}

function nameOf(lot: Lot): string {
  if (lot.name) return lot.name;
  const source = REASONS[lot.source as keyof typeof REASONS]?.name ?? lot.source;
  return `${source}, ${formatShortDay(lot.grantedAt)}`;
}

/** Merges the last lots into one if there are more lots than colours. */
function gathered(lots: readonly Lot[]): Lot[] {
  if (lots.length <= INKS.length) return [...lots];
  const [first, rest] = [lots.slice(0, INKS.length - 1), lots.slice(INKS.length - 1)];
  const last = rest[rest.length - 1] as Lot;
  const creditsLeft = rest.reduce((sum, lot) => sum + lot.creditsLeft, 0);
  return [...first, { ...last, creditsLeft, name: 'later ones' }];
}

function Segment({ credits, ink }: { credits: number; ink: string }) {
  const step = Math.max(1, Math.ceil(credits / 100));
  let ticks = '';
  for (let at = step; at < credits; at += step) ticks += `M${at} 40v-9`;
  return (
    <span className="tape-part" style={{ flexGrow: credits, background: ink }}>
      <svg
        viewBox={`0 0 ${credits} 40`}
        preserveAspectRatio="none"
        className="block size-full stroke-on-sticker/60 stroke-1"
      >
        <path d={ticks} vectorEffect="non-scaling-stroke" />
      </svg>
    </span>
  );
}

function nextGrant(subscription: Subscription, plans: readonly Plan[]): string | null {
  if (subscription.status !== 'active' || !subscription.currentPeriodEnd) return null;
  const { scheduledChange } = subscription;
  if (scheduledChange?.kind === 'cancel') return null;
  const plan = plans.find(({ id }) => id === (scheduledChange?.plan ?? subscription.plan));
  return plan ? `${plan.credits} more on ${formatDay(subscription.currentPeriodEnd)}.` : null;
}

/**
 * Shows the credit balance, and the lots as parts of one bar in the order of spending. Frozen lots come last and do not
 * count in the balance.
 */
export function Lots(props: { credits: CreditBalance; subscription: Subscription; plans: readonly Plan[] }) {
  const { credits, subscription, plans } = props;
  const left = credits.lots.filter(({ creditsLeft }) => creditsLeft > 0);
  const spendable = left.filter(({ frozen }) => !frozen);
  const lots = gathered(spendable);
  const shown = [...lots, ...left.filter(({ frozen }) => frozen)];
  const next = nextGrant(subscription, plans);
  const inkOf = (index: number) => INKS[index % INKS.length] ?? INKS[0];
  return (
    <Section title="Credit balance" heading="font-semibold">
      <p className="mt-1 flex flex-wrap items-end gap-x-3.5">
        <span
          key={credits.balance}
          data-balance
          className="display animate-[credits-in_450ms_var(--ease)] text-[clamp(84px,9vw,116px)]"
        >
          {credits.balance.toLocaleString('en')}
        </span>
        <span className="pb-2 text-md text-muted sm:text-lg">
          {credits.balance === 1 ? 'credit that never expires.' : 'credits that never expire.'}
          {next && <span className="block">{next}</span>}
        </span>
      </p>
      {left.length > 0 && (
        <>
          <div
            role="img"
            className="mt-4 flex h-10 gap-1 cut-end-40 *:min-w-[3px] *:flex-[1_1_3px]"
            aria-label={shown
              .map(
                (lot) =>
                  `${countOf(lot.creditsLeft, lot.frozen ? 'frozen credit' : 'credit')}: ${nameOf(lot)}`,
              )
              .join('; ')}
          >
            {shown.map(({ frozen, ...lot }, index) =>
              frozen ? (
                <span
                  key={lot.id}
                  className="tape-part hatched text-strong"
                  style={{ flexGrow: lot.creditsLeft }}
                />
              ) : (
                <Segment key={lot.id} credits={lot.creditsLeft} ink={inkOf(index)} />
              ),
            )}
          </div>
          <ul
            className="mt-3 flex flex-wrap gap-x-7 gap-y-1.5"
            aria-label="Credits in the order they are spent"
          >
            {shown.map((lot, index) => (
              <li key={lot.id} className={`flex items-center gap-2 ${lot.frozen ? 'flex-wrap' : ''}`}>
                <span
                  aria-hidden="true"
                  className={`tape-part size-2.5 ${lot.frozen ? 'hatched text-strong' : ''}`}
                  style={{ background: lot.frozen ? undefined : inkOf(index) }}
                />
                <b>{lot.creditsLeft.toLocaleString('en')}</b>
                <span className="text-muted">{nameOf(lot)}</span>
                {lot.frozen && <Badge tone="warn">frozen</Badge>}
                <span className="text-faint">
                  {lot.frozen
                    ? 'Not in the balance while its payment is disputed'
                    : turnOf(index, lots.length)}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}
