import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { RedeemedPromotion } from '../../../../application/promotions/contract.js';
import { ENTERED_CODE_MAX_LENGTH } from '../../../../application/promotions/values.js';
import { apiOnce, problemOf } from '../../api/api.js';
import { markOwned } from '../../downloads/owned.js';
import { paths } from '../../paths.js';
import { PageTitle } from '../../shell/page-frame.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { countOf, formatDay } from '../../ui/format.js';
import { Input } from '../../ui/forms/field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { Problem } from '../../ui/states.js';

/** What a code gave. `kind` names the kind of code; this page redeems only promotion codes. */
type Redeemed = { kind: 'promotion' } & RedeemedPromotion;

async function redeem(code: string): Promise<Redeemed> {
  const redeemed = await apiOnce('POST /api/promotions/redeem', { body: { code } });
  markOwned(redeemed.received.map(({ sampleId }) => sampleId));
  return { kind: 'promotion', ...redeemed };
}

const LIBRARY = (
  <Link to={paths.libraryDownloads} className="underlined font-semibold text-text">
    Open your library
  </Link>
);

/** Explains why a code gave nothing, and what to do. Undefined for other errors, which show their own message. */
function refusalOf(error: unknown): { title: string; text?: ReactNode } | undefined {
  const problem = problemOf('POST /api/promotions/redeem', error);
  switch (problem?.code) {
    case 'NotFound':
      return {
        title: 'This code does not exist',
        text: 'Compare it with what you were given. Capitals do not matter, dashes do. A code for a lower price of a plan is entered at checkout.',
      };
    case 'PromotionNotStarted':
      return { title: `This code is valid from ${formatDay(problem.from)}`, text: 'Come back then.' };
    case 'PromotionExpired':
      return { title: `This code expired on ${formatDay(problem.until)}` };
    case 'PromotionEnded':
      return { title: 'This code has ended', text: 'Its creator has ended it.' };
    case 'PromotionUsedUp':
      return { title: 'All free downloads of this code are taken' };
    case 'PromotionRedeemed':
      return { title: 'You have redeemed this code already', text: LIBRARY };
    case 'AllOwned':
      return { title: 'You own everything that this code gives', text: LIBRARY };
    case 'OwnPromotion':
      return { title: 'This is your own code', text: 'Its samples are yours already.' };
    case 'PromotionUnavailable':
      return {
        title: 'The samples of this code are not available now',
        text: 'They are not on sale at the moment. The code stays unused.',
      };
    default:
      return undefined;
  }
}

function Received({ redeemed, onAgain }: { redeemed: Redeemed; onAgain: () => void }) {
  const { pack, received } = redeemed;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <section className="cut-tr panel p-6 md:p-7">
      <h2 ref={heading} tabIndex={-1} className="display text-4xl wrap-anywhere outline-none">
        {pack.title}
      </h2>
      <p role="status" className="mt-2 text-muted">
        {countOf(received.length, 'sample')} by {pack.creator} {received.length === 1 ? 'is' : 'are'} yours
        now, free, with {received.length === 1 ? 'a licence' : 'licences'}.
      </p>
      <ul aria-label="Received samples" className="mt-5 border-y border-line">
        {received.map(({ sampleId, title, certificateId }) => (
          <li
            key={sampleId}
            className="flex items-baseline justify-between gap-4 border-t border-line py-2.5 first:border-t-0"
          >
            <span className="min-w-0 wrap-anywhere">{title}</span>
            <Link to={paths.certificate(certificateId)} className="underlined flex-none text-sm text-muted">
              Certificate<span className="sr-only"> of {title}</span>
            </Link>
          </li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap gap-2.5">
        <ButtonLink tone="primary" to={paths.libraryDownloads}>
          Open my library
        </ButtonLink>
        <ButtonLink to={paths.pack({ slug: pack.slug, creator: pack.handle })}>Open the pack</ButtonLink>
        <Button tone="ghost" onClick={onAgain}>
          Redeem another code
        </Button>
      </div>
    </section>
  );
}

/**
 * The page to redeem promotion codes. Gift codes are redeemed on the page of gifts. `?code=` in the address fills in
 * the field.
 */
export default function RedeemScreen() {
  const [search] = useSearchParams();
  const { field, formProps, reset, formState } = useBodyForm('POST /api/promotions/redeem', {
    defaultValues: { code: search.get('code') ?? '' },
  });
  const {
    mutateAsync,
    data,
    error,
    isPending,
    reset: forget,
  } = useMutation({
    mutationFn: ({ code }: { code: string }) => redeem(code),
  });
  const refusal = refusalOf(error);
  const again = () => {
    forget();
    reset({ code: '' });
  };
  return (
    <div className="gutter mx-auto max-w-190 py-12">
      <PageTitle />
      <h1 className="display text-6xl md:text-8xl">Redeem a code</h1>
      {data ? (
        <div className="mt-8">
          <Received redeemed={data} onAgain={again} />
        </div>
      ) : (
        <>
          <p className="mt-4 mb-8 max-w-[60ch] text-muted">
            A code from a creator gives you samples free, once. They stay in your library like everything that
            you buy, with their licences.{' '}
            <Link to={paths.gifts} className="underlined">
              A gift has a code of its own
            </Link>
            .
          </p>
          <form
            {...formProps((body) => mutateAsync(body).catch(() => undefined))}
            aria-label="Redeem a code"
            className="panel grid gap-5 p-5 md:p-7"
          >
            <Input
              label="Code"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={ENTERED_CODE_MAX_LENGTH}
              style={{ textTransform: 'uppercase' }}
              {...field('code')}
            />
            {refusal ? (
              <div role="alert" className="border-l-3 border-danger pl-4">
                <p className="font-semibold">{refusal.title}</p>
                {refusal.text && <p className="mt-1 text-muted">{refusal.text}</p>}
              </div>
            ) : (
              <Problem of={error} />
            )}
            <Button
              type="submit"
              tone="primary"
              busy={isPending || formState.isSubmitting}
              className="justify-self-start"
            >
              Redeem
            </Button>
          </form>
        </>
      )}
    </div>
  );
}
