import '../../ui/styles/print.css';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { useNextPages } from '../../api/next-page.js';
import { giftsQuery } from '../../plans/checkout.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Button } from '../../ui/button.js';
import { QueryFailure, Skeleton } from '../../ui/states.js';
import { GiftCard } from './gift-card.js';
import { GiveForm } from './give-form.js';
import { OwnGifts } from './own-gifts.js';
import { RedeemForm } from './redeem-form.js';

const LOOK_MS = 2_000;

function CheckoutNotice({ outcome, arrived }: { outcome: string; arrived: boolean }) {
  const text =
    outcome === 'cancelled'
      ? 'Checkout cancelled. Nothing was charged.'
      : arrived
        ? 'Thank you. Your gift and its code are below.'
        : 'Waiting for your payment. The gift appears below once Stripe confirms the invoice, usually within seconds.';
  return (
    <p
      role="status"
      className={`panel mb-8 flex items-center gap-3.5 border-l-3 p-4 ${arrived ? 'border-l-ok' : 'border-l-info'}`}
    >
      {outcome === 'success' && !arrived && <span className="spinner text-info" aria-hidden="true" />}
      {text}
    </p>
  );
}

/**
 * Redeems, gives and lists gifts. `?card=` shows the card of one gift, to print; `?gift=` names the gift that was
 * just paid.
 */
export default function GiftsScreen() {
  const [parameters] = useSearchParams();
  const outcome = parameters.get('checkout');
  const hasArrived = (items: readonly { id: string }[] = []) =>
    items.some(({ id }) => id === parameters.get('gift'));
  const answer = useInfiniteQuery({
    ...giftsQuery,
    refetchInterval: ({ state }) =>
      outcome === 'success' && !hasArrived(state.data?.pages[0]?.items) ? LOOK_MS : false,
  });
  const gifts = answer.data?.pages.flatMap(({ items }) => items);
  const wanted = parameters.get('card');
  const card = gifts?.find(({ id }) => id === wanted);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = answer;
  useNextPages(answer, wanted !== null && !card);
  if (card?.code) return <GiftCard gift={{ ...card, code: card.code }} />;
  return (
    <div className="gutter pt-9 pb-16">
      <PageTitle />
      <h1 className="display mb-6 text-7xl md:text-8xl">Gifts</h1>
      {outcome && <CheckoutNotice outcome={outcome} arrived={hasArrived(gifts)} />}
      <div className="grid grid-cols-1 items-start gap-x-10 gap-y-10 xl:grid-cols-[minmax(0,1fr)_440px]">
        <GiveForm />
        <RedeemForm />
      </div>
      <QueryFailure of={answer} title="Your gifts could not be loaded" className="mt-10" />
      {!gifts && !answer.error && <Skeleton className="mt-10 h-40" text="Loading your gifts..." />}
      {gifts && <OwnGifts gifts={gifts} />}
      {hasNextPage && (
        <Button className="mt-4" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  );
}
