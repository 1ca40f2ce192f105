import { Printer } from 'lucide-react';
import type { Gift } from '../../../../application/subscriptions/contract.js';
import { paths } from '../../paths.js';
import { Measure } from '../../plans/top-ups.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { formatDay } from '../../ui/format.js';
import { Logo } from '../../ui/marks.js';

/** The card of a gift, to print and hand over. A printout shows only the card, without the buttons. */
export function GiftCard({ gift }: { gift: Gift & { code: string } }) {
  const { credits, code, expiresAt } = gift;
  return (
    <div className="gutter pt-9 pb-16">
      <PageTitle>Gift card</PageTitle>
      <div className="mb-6 flex flex-wrap gap-3 print:hidden">
        <Button tone="primary" icon={<Printer size={16} />} onClick={() => window.print()}>
          Print the card
        </Button>
        <ButtonLink to={paths.gifts}>Back to gifts</ButtonLink>
      </div>
      <article className="panel max-w-160 p-7">
        <Logo />
        <p className="mt-6 text-muted">A gift for you</p>
        <h1 className="display mt-2 text-8xl">{credits} credits</h1>
        <Measure credits={Math.min(credits, 100)} of={100} className="mt-5 print:hidden" />
        <p className="mt-5">For sounds on Offcut. They never expire once they are yours.</p>
        <p className="mt-6 text-sm text-muted">Your code</p>
        <p className="text-xl font-semibold wrap-anywhere" translate="no">
          {code}
        </p>
        <p className="mt-6">
          Redeem it on {window.location.host}
          {paths.gifts} until {formatDay(expiresAt)}. It can be used once, by anyone who has it.
        </p>
      </article>
    </div>
  );
}
