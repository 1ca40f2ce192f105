import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PAYOUT_POLICY } from '../../../../application/payouts/values.js';
import { COST_MAX_CREDITS, CURRENT_SHARE_POLICY } from '../../../../application/publishing/values.js';
import { query } from '../../api/api.js';
import { paths } from '../../paths.js';
import { useSession } from '../../session/session.js';
import { PageTitle } from '../../shell/page-frame.js';
import { ButtonLink } from '../../ui/button.js';
import { Input } from '../../ui/forms/field.js';
import { countOf, formatUsdCents } from '../../ui/format.js';

const SHARE_BPS = CURRENT_SHARE_POLICY.shareBps;

const FACTS = [
  [`${SHARE_BPS / 100} %`, 'of what the credits were worth that paid for your sound'],
  [`${PAYOUT_POLICY.holdDays} days`, 'until a sale can be paid out'],
  [
    formatUsdCents(PAYOUT_POLICY.minimumUsdCents),
    'is the smallest payout, to every country where Stripe transfers',
  ],
] as const;

/** Formats a waiting time, such as "3 hours" or "2 days". */
function waitOf(hours: number): string {
  if (hours < 1) return 'Within 1 hour';
  return hours < 48 ? countOf(Math.round(hours), 'hour') : countOf(Math.round(hours / 24), 'day');
}

const STEPS = [
  ['Apply', 'Say what you make, with links and up to three sounds. A person hears them, and writes to you.'],
  [
    'Upload',
    'WAV, AIFF, FLAC, Ogg, MP3 and AAC, a thousand at a time. Tempo and key are suggested. Originals are sold untouched.',
  ],
  ['Publish', 'Now or on a day that you choose. We notify your followers.'],
  ['Get paid', 'Every sale by sample, pack and day, with a statement for every payout.'],
] as const;

const within = (value: number, most: number): number =>
  Math.max(0, Math.min(most, Math.trunc(Number.isNaN(value) ? 0 : value)));

/** Calculates what sales would earn if buyers paid with the cheapest and with the dearest credits. */
function Calculator() {
  const { data } = useQuery(query('GET /api/plans'));
  const [sales, setSales] = useState(200);
  const [credits, setCredits] = useState(1);
  // Divides only once, at the end, because rounding errors of earlier divisions could make the result a cent too low.
  const earned = (data?.items ?? []).map(({ priceUsdCents, credits: granted }) =>
    Math.floor((sales * credits * priceUsdCents * SHARE_BPS) / (granted * 10_000)),
  );
  return (
    <section aria-labelledby="calculator" className="panel mt-12 p-6">
      <h2 id="calculator" className="display text-4xl">
        What you would earn
      </h2>
      <div className="mt-5 grid gap-5 sm:grid-cols-2">
        <Input
          label="Sounds sold in a month"
          type="number"
          min={0}
          max={1e5}
          value={sales}
          onChange={({ target }) => setSales(within(target.valueAsNumber, 1e5))}
        />
        <Input
          label="Credits for each"
          type="number"
          min={1}
          max={COST_MAX_CREDITS}
          value={credits}
          onChange={({ target }) => setCredits(within(target.valueAsNumber, COST_MAX_CREDITS))}
        />
      </div>
      {earned.length > 0 && (
        <p role="status" className="mt-5 text-md">
          <strong className="display block text-5xl">
            {formatUsdCents(Math.min(...earned))} to {formatUsdCents(Math.max(...earned))}
          </strong>
          a month, depending on the plans of your buyers. Promotional credits earn nothing.
        </p>
      )}
    </section>
  );
}

/** Informs people who consider selling their sounds: share, payouts, formats and the way to the first sale. */
export default function SellScreen() {
  const { user } = useSession();
  const isCreator = user?.isCreator === true;
  const { data: approval } = useQuery(query('GET /api/creator/approval-time'));
  const facts =
    typeof approval?.hours === 'number'
      ? [
          ...FACTS,
          [waitOf(approval.hours), 'is how long most applications waited lately for an answer'] as const,
        ]
      : FACTS;
  return (
    <div className="gutter mx-auto max-w-260 pt-12 pb-20">
      <PageTitle />
      <h1 className="display text-6xl md:text-8xl">Sell what you have left over</h1>
      <p className="mt-5 max-w-[60ch] text-lg text-muted">
        The take that did not make the record is what another producer is looking for. Put your sounds into
        packs, set a price for each, and keep the rights.
      </p>
      <ButtonLink to={paths.dashboard} tone="primary" className="mt-7">
        {isCreator ? 'Creator Dashboard' : 'Apply as a Creator'}
      </ButtonLink>
      <dl className="mt-12 grid gap-6 border-y border-line py-7 fit-180">
        {facts.map(([figure, meaning]) => (
          <div key={figure}>
            <dt className="display text-5xl">{figure}</dt>
            <dd className="mt-2 text-muted">{meaning}</dd>
          </div>
        ))}
      </dl>
      <ol className="mt-12 grid list-none gap-x-10 gap-y-7 p-0 sm:grid-cols-2">
        {STEPS.map(([title, text], index) => (
          <li key={title} className="flex gap-4">
            <span className="display text-4xl text-faint" aria-hidden="true">
              {index + 1}
            </span>
            <div>
              <h2 className="text-lg font-semibold">{title}</h2>
              <p className="mt-1 text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <Calculator />
    </div>
  );
}
