import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { UserPlus, X } from 'lucide-react';
import type { User } from '../../../../application/accounts/contract.js';
import type { Split } from '../../../../application/payouts/contract.js';
import {
  divideShare,
  EXAMPLE_SHARE_MICRO_USD,
  SHARE_PERCENT,
  WHOLE_BPS,
} from '../../../../application/payouts/split-values.js';
import type { OwnPack } from '../../../../application/publishing/contract.js';
import { answerSplit, inPercent, isOpenSplit, offerSplit, splitsQuery } from '../../creators/splits.js';
import { Avatar } from '../../ui/avatar.js';
import { Button, IconButton } from '../../ui/button.js';
import { formatDay } from '../../ui/format.js';
import { Input } from '../../ui/forms/field.js';
import { useBodyForm } from '../../ui/forms/use-body-form.js';
import { askConfirm } from '../../ui/overlays/alerts.js';
import { notifyError, toast } from '../../ui/overlays/toast.js';
import { ExactMoney } from '../../ui/money.js';
import { LoadingText, Problem, QueryFailure } from '../../ui/states.js';
import { type OnDirty, useUnsavedWork } from './saving.js';
import { Sheet } from './sheet.js';

export { PriceSheet } from './price-sheet.js';

const COLOURS = ['var(--c1)', 'var(--c2)', 'var(--ok)', 'var(--c3)', 'var(--warn)'];
const colourOf = (index: number): string => COLOURS[index % COLOURS.length] ?? 'var(--c1)';
/** In the light theme, only the first two colours are bright enough for dark letters. */
const inkOn = (index: number): string => (index % COLOURS.length < 2 ? '#12201a' : 'var(--page)');

interface Part {
  id: string;
  name: string;
  bps: number;
  /** The split that gives this part to a collaborator; undefined for the creator of the pack. */
  split?: Split;
}

const isAccepted = ({ split }: Part): boolean => split?.status !== 'proposed';

/** The parts of all people, the creator of the pack first. They always add up to 100 %. */
function partsOf(user: User, open: readonly Split[]): Part[] {
  const given = open.map((split) => ({
    id: split.collaborator.id,
    name: split.collaborator.displayName,
    bps: split.bps,
    split,
  }));
  const kept = WHOLE_BPS - given.reduce((sum, { bps }) => sum + bps, 0);
  return [{ id: user.id, name: user.displayName, bps: kept }, ...given];
}

/** Shows the parts as a bar. Parts that are not accepted yet are hatched. */
function Bar({ parts }: { parts: readonly Part[] }) {
  return (
    <div
      role="img"
      aria-label={parts.map(({ name, bps }) => `${name} ${inPercent(bps)}`).join(', ')}
      className="flex h-9 gap-0.5 cut-end-20"
    >
      {parts.map((part, index) => (
        <span
          key={part.id}
          className={clsx(
            'flex min-w-1 items-center overflow-hidden text-sm font-semibold whitespace-nowrap',
            !isAccepted(part) && 'hatched',
          )}
          style={{
            flexBasis: `${part.bps / 100}%`,
            ...(isAccepted(part) ? { background: colourOf(index) } : { color: colourOf(index) }),
          }}
        >
          {isAccepted(part) && part.bps >= 1_000 && (
            <span className="px-2" style={{ color: inkOn(index) }} aria-hidden="true">
              {inPercent(part.bps)}
            </span>
          )}
        </span>
      ))}
    </div>
  );
}

function PartRow({ part, index }: { part: Part; index: number }) {
  const { name, bps, split } = part;
  const end = useMutation({
    mutationFn: async (which: Split) => {
      const isOffer = which.status === 'proposed';
      const isSure = await askConfirm({
        title: isOffer ? `Take back the offer to ${name}?` : `End the split with ${name}?`,
        message: isOffer
          ? 'The part stays yours.'
          : `From the next sale on, ${inPercent(bps)} are yours again. What ${name} earned stays theirs.`,
        confirmLabel: isOffer ? 'Take back' : 'End split',
      });
      if (!isSure) return;
      await answerSplit(which, 'end');
      toast({ title: isOffer ? 'The offer was taken back' : 'The split has ended' });
    },
    onError: notifyError,
  });
  return (
    <li className="flex items-center gap-3 border-t border-line py-3 first:border-t-0">
      <Avatar name={name} size={36} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold" title={name}>
          {name}
        </p>
        <p className={clsx('flex items-center gap-2 text-sm', isAccepted(part) ? 'text-muted' : 'text-warn')}>
          <span
            className={clsx('size-3', !isAccepted(part) && 'hatched')}
            style={isAccepted(part) ? { background: colourOf(index) } : { color: colourOf(index) }}
          />
          {split
            ? isAccepted(part)
              ? `accepted ${formatDay(split.changedAt)}`
              : 'invited, no answer yet'
            : 'you'}
        </p>
      </div>
      <span className="font-semibold whitespace-nowrap">{inPercent(bps)}</span>
      {split ? (
        <IconButton
          label={isAccepted(part) ? `End the split with ${name}` : `Take back the offer to ${name}`}
          busy={end.isPending}
          onClick={() => end.mutate(split)}
        >
          <X size={18} />
        </IconButton>
      ) : (
        <span className="w-9" />
      )}
    </li>
  );
}

function Offer(props: { packId: string; leftBps: number; onDirty: OnDirty }) {
  const { packId, leftBps, onDirty } = props;
  const form = useBodyForm('POST /api/creator/packs/:id/splits', {
    defaultValues: { creator: '', percent: '' },
    body: ({ creator, percent }) => ({ creator, bps: Math.round(Number(percent.replace(',', '.')) * 100) }),
    words: { creator: 'A handle, or an e-mail address' },
    check: ({ percent }) => {
      const bps = Math.round(Number(percent.replace(',', '.')) * 100);
      return bps >= 1 && bps <= leftBps ? {} : { percent: `0.01 to ${leftBps / 100} %` };
    },
  });
  const offer = useMutation({
    mutationFn: (body: Parameters<typeof offerSplit>[1]) => offerSplit(packId, body),
    onSuccess: ({ collaborator }) => {
      form.reset();
      toast({ title: `Offered to ${collaborator.displayName}`, description: 'They find it in their inbox.' });
    },
  });
  const work = { what: 'New split', save: () => Promise.resolve('press “Offer a part” to offer it.') };
  useUnsavedWork(form.formState.isDirty, work, onDirty);
  if (leftBps < 1) return null;
  return (
    <form
      className="grid gap-3 border border-dashed border-strong p-4"
      {...form.formProps((body) => offer.mutateAsync(body).catch(() => undefined))}
    >
      <div className="grid grid-cols-[minmax(0,1fr)_110px] items-start gap-3">
        <Input label="Handle or e-mail" autoComplete="off" {...form.field('creator')} />
        <Input label="Part in %" inputMode="decimal" autoComplete="off" {...form.field('percent')} />
      </div>
      <Problem of={offer.error} />
      <Button
        type="submit"
        busy={offer.isPending}
        icon={<UserPlus size={17} />}
        className="justify-self-start"
      >
        Offer a part
      </Button>
    </form>
  );
}

/**
 * Shows how a sale for one credit of a Studio plan is divided among the creator and the accepted splits, with the
 * same rounding as a real sale.
 */
function Example({ parts }: { parts: readonly Part[] }) {
  const [first, ...others] = parts;
  if (!first) return null;
  const offered = others.filter((part) => !isAccepted(part)).reduce((sum, { bps }) => sum + bps, 0);
  const now = [{ ...first, bps: first.bps + offered }, ...others.filter(isAccepted)];
  const shares = divideShare(
    EXAMPLE_SHARE_MICRO_USD,
    now.map(({ id, bps }) => ({ creatorId: id, bps })),
  );
  return (
    <dl className="cut-tr panel p-4 text-sm" aria-label="The next sale">
      <dt className="mb-2 font-semibold">One credit from a Studio plan, now</dt>
      {shares.map(({ creatorId, shareMicroUsd }, index) => (
        <dd key={creatorId} className="flex justify-between gap-3 py-0.5">
          <span className="truncate">{now[index]?.name}</span>
          <ExactMoney microUsd={shareMicroUsd} />
        </dd>
      ))}
      <dd className="mt-1 flex justify-between gap-3 border-t border-text pt-2 font-semibold">
        <span>The creators’ {SHARE_PERCENT} %</span>
        <ExactMoney microUsd={EXAMPLE_SHARE_MICRO_USD} />
      </dd>
    </dl>
  );
}

/** The side panel "Splits": divides the earnings of the pack between the creator and the collaborators. */
export default function SplitsSheet(props: {
  pack: OwnPack;
  user: User;
  onClose: () => void;
  onDirty: OnDirty;
}) {
  const { pack, user, onClose, onDirty } = props;
  const splits = useInfiniteQuery(splitsQuery(pack.id));
  const known = splits.data?.pages.flatMap(({ items }) => items) ?? [];
  const open = known.filter(isOpenSplit).toReversed();
  const parts = partsOf(user, open);
  const isWaiting = parts.some((part) => !isAccepted(part));
  return (
    <Sheet
      title="Splits"
      onClose={onClose}
      aside={
        isWaiting && <p className="text-sm text-muted">Until an offer is accepted, its part stays yours.</p>
      }
      actions={<Button onClick={onClose}>Done</Button>}
    >
      <div className="grid gap-5">
        <p className="text-muted">
          Who shares your {SHARE_PERCENT} % of every sale of this pack. It starts with the next sale, never
          backwards.
        </p>
        {splits.data ? (
          <>
            <Bar parts={parts} />
            <ul aria-label="Parts" className="-my-1">
              {parts.map((part, index) => (
                <PartRow key={part.id} part={part} index={index} />
              ))}
            </ul>
            <p className="flex justify-between border-t-2 border-text pt-3 font-semibold">
              Together <span>100 %</span>
            </p>
            <Offer onDirty={onDirty} packId={pack.id} leftBps={(parts[0]?.bps ?? 1) - 1} />
            <Example parts={parts} />
          </>
        ) : splits.error ? (
          <QueryFailure of={splits} title="The splits could not be loaded" />
        ) : (
          <LoadingText>Loading splits...</LoadingText>
        )}
      </div>
    </Sheet>
  );
}
