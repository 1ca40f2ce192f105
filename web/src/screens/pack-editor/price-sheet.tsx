import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { User } from '../../../../application/accounts/contract.js';
import {
  allocateCredits,
  divideShare,
  exampleShare,
  priceInForce,
  SHARE_PERCENT,
  WHOLE_BPS,
} from '../../../../application/payouts/split-values.js';
import type { OwnPack } from '../../../../application/publishing/contract.js';
import { api } from '../../api/api.js';
import { splitsQuery } from '../../creators/splits.js';
import { Button } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { Input } from '../../ui/forms/field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { toast } from '../../ui/overlays/toast.js';
import { ExactMoney } from '../../ui/money.js';
import { LoadingText, Problem, QueryFailure } from '../../ui/states.js';
import { type OnDirty, saveForm, useUnsavedWork } from './saving.js';
import { Sheet } from './sheet.js';
import { writePack } from './write-pack.js';

/** The preview lists at most this many samples; its sums include all samples. */
const SHOWN = 50;

const savePrice = (pack: OwnPack, credits: number | null) =>
  writePack(
    pack.slug,
    (ifMatch) =>
      api('PUT /api/creator/packs/:id/price', { params: { id: pack.id }, body: { credits }, ifMatch }),
    { replaces: ({ priceCredits }) => priceCredits },
  );

interface Earner {
  creatorId: string;
  name: string;
  bps: number;
}

/**
 * Shows what each person earns if the next sale of the whole pack is paid with credits of a Studio plan, with the same
 * allocation and rounding as a real sale.
 */
function Preview(props: { samples: OwnPack['samples']; credits: number; earners: readonly Earner[] }) {
  const { samples, credits, earners } = props;
  const parts = allocateCredits(
    credits,
    samples.map(({ creditCost }) => creditCost),
  );
  const sales = samples.map(({ id, name, creditCost }, index) => {
    const part = parts[index] ?? 0;
    return { id, name, creditCost, part, shares: divideShare(exampleShare(part), earners) };
  });
  const earnedBy = (index: number): number =>
    sales.reduce((sum, { shares }) => sum + (shares[index]?.shareMicroUsd ?? 0), 0);
  return (
    <section aria-label="The next sale of the whole pack" className="cut-tr panel p-4 text-sm">
      <h3 className="mb-2 font-semibold">The next sale, paid with credits of a Studio plan</h3>
      <table className="w-full">
        <thead>
          <tr className="text-muted">
            <th className="pb-1 text-left font-normal">Sample</th>
            <th className="pb-1 text-right font-normal">Alone</th>
            <th className="pb-1 pl-3 text-right font-normal">In the pack</th>
          </tr>
        </thead>
        <tbody>
          {sales.slice(0, SHOWN).map(({ id, name, creditCost, part, shares }) => (
            <tr key={id} className="border-t border-line align-top">
              <td className="max-w-0 py-1.5 pr-3" width="60%">
                <span className="block truncate" title={name}>
                  {name}
                </span>
                {shares.map(({ creatorId, shareMicroUsd }, index) => (
                  <span key={creatorId} className="flex justify-between gap-2 text-muted">
                    <span className="truncate">{earners[index]?.name}</span>
                    <ExactMoney microUsd={shareMicroUsd} />
                  </span>
                ))}
              </td>
              <td className="py-1.5 text-right text-muted">{creditCost}</td>
              <td className="py-1.5 pl-3 text-right font-semibold">{part}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {sales.length > SHOWN && (
        <p className="border-t border-line py-1.5 text-muted">
          And {countOf(sales.length - SHOWN, 'more sample')}.
        </p>
      )}
      <dl className="mt-1 border-t border-text pt-2">
        {earners.map(({ creatorId, name }, index) => (
          <div key={creatorId} className="flex justify-between gap-3 py-0.5 font-semibold">
            <dt className="truncate">{name}</dt>
            <dd>
              <ExactMoney microUsd={earnedBy(index)} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-muted">
        A part of 0 credits earns nothing. If a sample is returned, its part goes back.
      </p>
    </section>
  );
}

/** The side panel "Pack price": sets the price of all samples together. */
export function PriceSheet(props: { pack: OwnPack; user: User; onClose: () => void; onDirty: OnDirty }) {
  const { pack, user, onClose, onDirty } = props;
  const splits = useInfiniteQuery(splitsQuery(pack.id));
  const samples = pack.samples.filter(({ status }) => status === 'free');
  const sum = samples.reduce((total, { creditCost }) => total + creditCost, 0);
  const inRange = (text: string) => /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) < sum;
  const form = useBodyForm('PUT /api/creator/packs/:id/price', {
    defaultValues: { credits: pack.priceCredits?.toString() ?? '' },
    body: ({ credits }) => ({ credits: Number(credits) }),
    check: ({ credits }) => (inRange(credits) ? {} : { credits: `1 to ${sum - 1}` }),
  });
  const store = async (credits: number | null) => {
    const saved = await savePrice(pack, credits);
    if (saved) form.reset({ credits: saved.priceCredits?.toString() ?? '' });
    return saved;
  };
  const save = useMutation({
    mutationFn: store,
    onSuccess: (saved) => {
      if (!saved) return;
      toast({
        title: saved.priceCredits === null ? 'The pack costs the sum of its samples' : 'The price was saved',
      });
    },
  });
  const work = { what: 'Pack price', save: () => saveForm(form, ({ credits }) => store(credits)) };
  useUnsavedWork(form.formState.isDirty, work, onDirty);
  const typed = form.watch('credits');
  const accepted = (splits.data?.pages.flatMap(({ items }) => items) ?? [])
    .filter(({ status }) => status === 'accepted')
    .toReversed();
  const given = accepted.map(({ collaborator: { id, displayName }, bps }) => ({
    creatorId: id,
    name: displayName,
    bps,
  }));
  const kept = WHOLE_BPS - given.reduce((total, { bps }) => total + bps, 0);
  const earners = [{ creatorId: user.id, name: user.displayName, bps: kept }, ...given];
  const isResting = pack.priceCredits !== null && priceInForce(pack.priceCredits, sum) === null;
  return (
    <Sheet title="Pack price" onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
      <div className="grid gap-5">
        <p className="text-muted">
          The {countOf(samples.length, 'sample')} on sale cost {countOf(sum, 'credit')} together. Sell the
          whole pack for less: who owns a part of it pays less in proportion. You earn {SHARE_PERCENT} % as
          always. Added samples do not change the price.
        </p>
        {isResting && (
          <p className="border-l-3 border-warn pl-3 text-warn">
            The price of {countOf(pack.priceCredits ?? 0, 'credit')} does not count now, because the samples
            cost no more. Buyers pay {countOf(sum, 'credit')}.
          </p>
        )}
        {sum < 2 ? (
          <p>A pack can have a price once its samples cost two credits together.</p>
        ) : (
          <form
            className="grid gap-3"
            {...form.formProps(({ credits }) => save.mutateAsync(credits).catch(() => undefined))}
          >
            <Input
              label="Price of the whole pack in credits"
              inputMode="numeric"
              autoComplete="off"
              {...form.field('credits')}
            />
            <Problem of={save.error} />
            <div className="flex flex-wrap gap-2">
              <Button type="submit" tone="primary" busy={save.isPending}>
                Save price
              </Button>
              {pack.priceCredits !== null && (
                <Button busy={save.isPending} onClick={() => save.mutate(null)}>
                  Remove price
                </Button>
              )}
            </div>
          </form>
        )}
        {splits.data ? (
          inRange(typed) && <Preview samples={samples} credits={Number(typed)} earners={earners} />
        ) : splits.error ? (
          <QueryFailure of={splits} title="The splits could not be loaded" />
        ) : (
          <LoadingText>Loading splits...</LoadingText>
        )}
      </div>
    </Sheet>
  );
}
