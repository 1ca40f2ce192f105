import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Ticket } from 'lucide-react';
import type { PromotionCode } from '../../../../../application/promotions/contract.js';
import { CODE_LENGTH, CODE_WORDS, MOST_REDEMPTIONS } from '../../../../../application/promotions/values.js';
import type { OwnPack } from '../../../../../application/publishing/contract.js';
import { api, apiOnce } from '../../../api/api.js';
import { promotionsQuery } from '../../../api/creator.js';
import { invalidate } from '../../../api/query-client.js';
import { inPercent, splitsQuery } from '../../../creators/splits.js';
import { paths } from '../../../paths.js';
import { Badge } from '../../../ui/badge.js';
import { Button } from '../../../ui/button.js';
import { countOf, formatDay } from '../../../ui/format.js';
import { Input, Select } from '../../../ui/forms/field.js';
import { useBodyForm } from '../../../ui/forms/use-body-form.js';
import { askConfirm } from '../../../ui/overlays/alerts.js';
import { notifyError, toast } from '../../../ui/overlays/toast.js';
import { CopyLink } from '../../../ui/share-link.js';
import { LoadingText, Problem, QueryFailure } from '../../../ui/states.js';
import { type OnDirty, useUnsavedWork } from '../saving.js';
import { Sheet } from '../sheet.js';

const STATES = {
  scheduled: ['Not begun', 'warn'],
  running: ['Running', 'ok'],
  'used-up': ['All taken', 'neutral'],
  expired: ['Expired', 'neutral'],
  ended: ['Ended', 'neutral'],
} as const;

const changed = <Answer,>(answer: Promise<Answer>): Promise<Answer> =>
  answer.finally(() => void invalidate('GET /api/creator/promotions'));

/** A code that is easy to read aloud: words of the title, and four random characters that do not look alike. */
function suggestedCode({ slug }: OwnPack): string {
  const words = slug
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '-')
    .slice(0, 20);
  const random = [...crypto.getRandomValues(new Uint8Array(4))];
  const end = random.map((byte) => 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'[byte % 31]).join('');
  return `${words}-${end}`.replace(/-+/g, '-').replace(/^-/, '');
}

/**
 * Returns the first moment of a day in the creator's time zone, or of the day `daysLater` days later. Returns an
 * invalid date unchanged, such as one whose year has six digits.
 */
function startOf(day: string, daysLater = 0): string {
  const start = new Date(`${day}T00:00`);
  // Adds calendar days, because adding 24 hours for each day would be wrong when the clocks change.
  start.setDate(start.getDate() + daysLater);
  return Number.isNaN(start.getTime()) ? day : start.toISOString();
}

function validity({ from, until }: PromotionCode): string {
  const last = until && formatDay(new Date(Date.parse(until) - 1).toISOString());
  if (from && last) return `${formatDay(from)} to ${last}`;
  return from ? `from ${formatDay(from)}` : last ? `until ${last}` : 'until you end it';
}

function CodeRow({ promotion, pack }: { promotion: PromotionCode; pack: OwnPack }) {
  const { code, used, limit, samplesGiven, sampleIds, status } = promotion;
  const [label, tone] = STATES[status];
  const isOpen = status === 'running' || status === 'scheduled';
  const only = sampleIds?.length === 1 && pack.samples.find(({ id }) => id === sampleIds[0])?.name;
  const end = useMutation({
    mutationFn: async () => {
      const isSure = await askConfirm({
        title: `End ${code}?`,
        message: 'No one can redeem it afterwards. What it gave stays with its owners.',
        confirmLabel: 'End code',
      });
      if (!isSure) return;
      await changed(api('POST /api/creator/promotions/:code/end', { params: { code } }));
      toast({ title: `${code} has ended` });
    },
    onError: notifyError,
  });
  return (
    <li className="border-t border-line py-4 first:border-t-0">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <b className="font-semibold wrap-anywhere">{code}</b>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className="mt-1 text-sm text-muted">
        {sampleIds ? only || countOf(sampleIds.length, 'sample') : 'Whole pack'} · {validity(promotion)}
      </p>
      <div className="mt-2.5 h-2.5 bg-hover" aria-hidden="true">
        <div className="h-full bg-mark cut-end-10" style={{ width: `${(100 * used) / limit}%` }} />
      </div>
      <p className="mt-1.5 text-sm">
        {used} of {countOf(limit, 'person', 'people')} · {countOf(samplesGiven, 'free download')}, no share
      </p>
      {isOpen && (
        <>
          <CopyLink
            url={`${window.location.origin}${paths.redeem}?code=${encodeURIComponent(code)}`}
            label={`Link that redeems ${code}`}
          />
          <Button
            size="small"
            className="mt-2.5"
            aria-label={`End ${code}`}
            busy={end.isPending}
            onClick={() => end.mutate()}
          >
            End code
          </Button>
        </>
      )}
    </li>
  );
}

const WHOLE = '';

function NewCode({ pack, onDirty }: { pack: OwnPack; onDirty: OnDirty }) {
  const empty = () => ({ code: suggestedCode(pack), limit: '25', sampleId: WHOLE, from: '', until: '' });
  const form = useBodyForm('POST /api/creator/promotions', {
    defaultValues: empty(),
    body: ({ code, limit, sampleId, from, until }) => ({
      packId: pack.id,
      code,
      limit: Number(limit),
      ...(sampleId !== WHOLE && { sampleIds: [sampleId] }),
      ...(from && { from: startOf(from) }),
      ...(until && { until: startOf(until, 1) }),
    }),
    words: { limit: `1 to ${MOST_REDEMPTIONS.toLocaleString('en')}` },
    check: ({ from, until }) => (from && until && until < from ? { until: 'Before its first day' } : {}),
  });
  const make = useMutation({
    mutationFn: (body: Parameters<typeof send>[0]) => changed(send(body)),
    onSuccess: ({ code }) => {
      form.reset(empty());
      toast({ title: `${code} is ready`, description: 'Share it, or its link.' });
    },
  });
  const { isSubmitting, isDirty } = form.formState;
  const work = { what: 'New code', save: () => Promise.resolve('press “Make the code” to make it.') };
  useUnsavedWork(isDirty, work, onDirty);
  return (
    <form
      aria-label="New code"
      className="grid gap-3 border border-dashed border-strong p-4"
      {...form.formProps((body) => make.mutateAsync(body).catch(() => undefined))}
    >
      <Input
        label="Code"
        autoComplete="off"
        spellCheck={false}
        maxLength={CODE_LENGTH.max}
        style={{ textTransform: 'uppercase' }}
        hint={`${CODE_WORDS}.`}
        {...form.field('code')}
      />
      <div className="grid grid-cols-2 items-start gap-3">
        <Input label="How many people" inputMode="numeric" autoComplete="off" {...form.field('limit')} />
        <Select
          label="Gives"
          options={[[WHOLE, 'Whole pack'], ...pack.samples.map(({ id, name }) => [id, name] as const)]}
          {...form.field('sampleId')}
        />
        <Input label="First day" type="date" {...form.field('from')} />
        <Input label="Last day" type="date" {...form.field('until')} />
      </div>
      <Problem of={make.error} />
      <Button
        type="submit"
        busy={make.isPending || isSubmitting}
        icon={<Ticket size={17} />}
        className="justify-self-start"
      >
        Make the code
      </Button>
    </form>
  );
}

/** Names the collaborators who accepted a share of the pack, because free downloads earn them nothing either. */
function Collaborators({ pack }: { pack: OwnPack }) {
  const splits = useInfiniteQuery(splitsQuery(pack.id));
  const accepted = (splits.data?.pages.flatMap(({ items }) => items) ?? []).filter(
    ({ status }) => status === 'accepted',
  );
  if (splits.error)
    return <QueryFailure of={splits} title="The collaborators of the pack could not be loaded" />;
  if (accepted.length === 0) return null;
  const names = accepted.map(({ collaborator, bps }) => `${collaborator.displayName} (${inPercent(bps)})`);
  return (
    <p className="border-l-3 border-warn pl-3 wrap-anywhere">
      {new Intl.ListFormat('en').format(names)} {names.length === 1 ? 'shares' : 'share'} this pack, and{' '}
      {names.length === 1 ? 'gets' : 'get'} no share of these downloads either. Each new code sends them a
      notice.
    </p>
  );
}

const send = (body: Parameters<typeof apiOnce<'POST /api/creator/promotions'>>[1]['body']) =>
  apiOnce('POST /api/creator/promotions', { body });

/**
 * The side panel "Promotion codes": creates codes that give the pack or a sample free, and shows how many people
 * used each code.
 */
export default function PromotionsSheet(props: { pack: OwnPack; onClose: () => void; onDirty: OnDirty }) {
  const { pack, onClose, onDirty } = props;
  const codes = useInfiniteQuery(promotionsQuery(pack.id));
  const all = codes.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Sheet title="Promotion codes" onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
      <div className="grid gap-5">
        <p className="text-muted">
          People with a code get this pack free, once each. They pay nothing, so these downloads give you no
          share and do not count in charts.
        </p>
        <Collaborators pack={pack} />
        {pack.status === 'published' ? (
          <NewCode key={pack.id} pack={pack} onDirty={onDirty} />
        ) : (
          <p className="border-l-3 border-warn pl-3">Publish the pack first. Codes are for packs on sale.</p>
        )}
        {codes.data ? (
          all.length > 0 ? (
            <ul aria-label="Codes" className="-my-1">
              {all.map((promotion) => (
                <CodeRow key={promotion.code} promotion={promotion} pack={pack} />
              ))}
            </ul>
          ) : (
            <p className="text-muted">No codes yet.</p>
          )
        ) : codes.error ? (
          <QueryFailure of={codes} title="The codes could not be loaded" />
        ) : (
          <LoadingText>Loading codes...</LoadingText>
        )}
        {codes.hasNextPage && (
          <Button busy={codes.isFetchingNextPage} onClick={() => void codes.fetchNextPage()}>
            Show more
          </Button>
        )}
      </div>
    </Sheet>
  );
}
