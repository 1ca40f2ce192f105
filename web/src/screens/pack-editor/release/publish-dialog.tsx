import { useMutation, useQuery } from '@tanstack/react-query';
import { Check, CircleAlert, ImageUp, TriangleAlert } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { DISPLAY_NAME_MAX_LENGTH, isDefaultName } from '../../../../../application/accounts/values.js';
import type { Origin } from '../../../../../application/catalogue/values.js';
import { priceInForce } from '../../../../../application/payouts/split-values.js';
import type { OwnPack, OwnSample } from '../../../../../application/publishing/contract.js';
import { creatorQuery } from '../../../api/account.js';
import { api } from '../../../api/api.js';
import { queryClient } from '../../../api/query-client.js';
import { sendOnce } from '../../../api/transport/idempotency-key.js';
import { businessNow } from '../../../clock.js';
import { acceptUser, useSession } from '../../../session/session.js';
import { Button } from '../../../ui/button.js';
import { Input } from '../../../ui/forms/field.js';
import { countOf, formatDay, formatTime } from '../../../ui/format.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { Cover, coverOf } from '../../../ui/sound/cover.js';
import { notifyError, toast } from '../../../ui/overlays/toast.js';
import { useCoverPicker } from '../cover-picker.js';
import { OriginSelect } from '../origin-select.js';
import { PreviewButton } from './release-line.js';
import { reloadPack, write, writePack } from '../write-pack.js';

const SHORT_MS = 30;

export interface Finding {
  id: string;
  text: string;
  /** Titles of the samples that the finding is about; empty if it is about the pack or the account. */
  titles: string[];
  /** A control that corrects the finding in this dialog. */
  mend?: ReactNode;
}

/** Finds samples that lack facts, such as a tempo, and samples that may be a mistake, such as silent ones. */
export function findingsIn(samples: readonly OwnSample[]): { missing: Finding[]; suspicious: Finding[] } {
  const times = new Map<string, number>();
  for (const { sha256 } of samples) times.set(sha256, (times.get(sha256) ?? 0) + 1);
  const found = (id: string, text: string, is: (sample: OwnSample) => boolean): Finding[] => {
    const titles = samples.filter(is).map(({ name }) => name);
    return titles.length > 0 ? [{ id, text: `${countOf(titles.length, 'sample')} ${text}`, titles }] : [];
  };
  return {
    missing: [
      ...found('instruments', 'without instruments', ({ instruments }) => instruments.length === 0),
      ...found(
        'tempo',
        'that sound like loops, without a tempo',
        ({ bpm, suggestions }) => bpm === 0 && (suggestions.tempo?.confidence ?? 0) >= 0.8,
      ),
      ...found(
        'key',
        'that sound pitched, without a key',
        ({ key, suggestions }) => key === null && (suggestions.key?.confidence ?? 0) >= 0.8,
      ),
    ],
    suspicious: [
      ...found('silent', 'without a sound', ({ waveform }) => waveform.every((level) => level === 0)),
      ...found('short', `shorter than ${SHORT_MS} ms`, ({ durationMs }) => durationMs < SHORT_MS),
      ...found(
        'clipping',
        'with clipping',
        ({ suggestions }) => suggestions.flaws?.includes('clipping') === true,
      ),
      ...found(
        'offset',
        'with a DC offset',
        ({ suggestions }) => suggestions.flaws?.includes('offset') === true,
      ),
      ...found('identical', 'with the same recording as another', ({ sha256 }) => times.get(sha256) !== 1),
    ],
  };
}

const NAMED = 3;
const NAME_LETTERS = 32;

/** Names the first three samples and counts the others. A list of 200 long names would hide the other findings. */
function named(titles: readonly string[]): string {
  const names = titles.slice(0, NAMED).map((title) => {
    const letters = [...title];
    return letters.length > NAME_LETTERS ? `${letters.slice(0, NAME_LETTERS).join('').trim()}…` : title;
  });
  const more = titles.length - NAMED;
  return more > 0 ? `${names.join(', ')} and ${more.toLocaleString('en')} more` : names.join(', ');
}

function List({ title, findings }: { title: string; findings: Finding[] }) {
  return (
    <section className="border-t border-line py-3">
      <h3 className="flex items-center gap-2 font-semibold">
        {findings.length === 0 ? (
          <Check size={17} className="text-ok" aria-hidden="true" />
        ) : (
          <TriangleAlert size={17} className="text-warn" aria-hidden="true" />
        )}
        {findings.length === 0 ? `Nothing ${title}` : title[0]?.toUpperCase() + title.slice(1)}
      </h3>
      <ul className="m-0 list-none p-0 pl-6.25">
        {findings.map(({ id, text, titles, mend }) => (
          <li key={id} className="mt-1.5 wrap-anywhere not-first:mt-3">
            {text}
            {titles.length > 0 && <span className="text-muted">: {named(titles)}</span>}
            {mend}
          </li>
        ))}
      </ul>
    </section>
  );
}

function ConfirmEmail({ email }: { email: string }) {
  const send = useMutation({
    mutationFn: () =>
      sendOnce(`confirm ${email}`, async () => void (await api('PATCH /api/me', { body: { email } }))),
    onError: notifyError,
  });
  return (
    <span role="status" className="mt-1 block text-muted">
      {send.isSuccess ? (
        'We sent a link. Follow it, then return to this page.'
      ) : (
        <Button size="small" busy={send.isPending} onClick={() => send.mutate()}>
          Send the link again
        </Button>
      )}
    </span>
  );
}

function DrawnCover({ pack }: { pack: OwnPack }) {
  const { input, open, isPending } = useCoverPicker(pack);
  return (
    <span className="mt-1.5 block">
      {input}
      <Button size="small" busy={isPending} icon={<ImageUp size={15} />} onClick={open}>
        Choose your own
      </Button>
    </span>
  );
}

/** Returns a finding if the pack has a drawn cover instead of one that the creator chose. */
const drawnCover = (pack: OwnPack): Finding[] =>
  pack.hasOwnCover
    ? []
    : [
        {
          id: 'cover',
          text: 'A cover of your own. We drew this one.',
          titles: [],
          mend: <DrawnCover pack={pack} />,
        },
      ];

/** Returns a finding until the creator has confirmed the e-mail address of the account. */
function useUnconfirmed(): Finding[] {
  const { data: creator } = useQuery(creatorQuery);
  const { user } = useSession();
  if (!user || creator?.hasConfirmedEmail !== false) return [];
  const { email } = user;
  const text = `The confirmation of your e-mail address ${email}.`;
  return [{ id: 'email', text, titles: [], mend: <ConfirmEmail email={email} /> }];
}

/** Asks the server, because the creator may have opened the confirmation link in another tab. */
const isConfirmedNow = async (): Promise<boolean> =>
  (await queryClient.fetchQuery({ ...creatorQuery, staleTime: 0 })).hasConfirmedEmail;

/**
 * Sets the origin of the samples that have none. Resolves false if the pack changed meanwhile or the server refused a
 * sample.
 */
async function stateOrigin({ id, slug, samples }: OwnPack, origin: Origin): Promise<boolean> {
  const changes = samples
    .filter((sample) => sample.origin === null)
    .map(({ id: sampleId }) => ({ sampleId, origin }));
  if (changes.length === 0) return true;
  const stated = await write(slug, (ifMatch) =>
    api('PATCH /api/creator/packs/:id/samples', { params: { id }, body: { changes }, ifMatch }),
  );
  await reloadPack(slug);
  return stated?.refused.length === 0;
}

/** Converts a time that was typed in the browser's time zone to an ISO time; undefined if it is not in the future. */
function timeFrom(typed: string): string | undefined {
  const time = new Date(typed);
  return time.getTime() > businessNow() ? time.toISOString() : undefined;
}

async function schedule({ id, slug }: OwnPack, releaseAt: string): Promise<void> {
  const params = { id };
  const changed = await writePack(slug, (ifMatch) =>
    api('PUT /api/creator/packs/:id/release', { params, body: { releaseAt }, ifMatch }),
  );
  if (changed) toast({ title: `It is out on ${formatDay(releaseAt)}, ${formatTime(releaseAt)}` });
}

/**
 * Shows what is missing or suspicious in a pack before it is published, and asks for the release date and the creator's
 * declarations.
 */
export default function PublishDialog(props: {
  pack: OwnPack;
  creatorName: string;
  /** Publishes the pack, and resolves when the server has answered. */
  publish: () => Promise<unknown>;
  onClose: () => void;
}) {
  const { pack, creatorName, publish, onClose } = props;
  const { samples } = pack;
  const [origin, setOrigin] = useState<Origin | ''>('');
  const [name, setName] = useState('');
  const [isLater, setLater] = useState(false);
  const [at, setAt] = useState('');
  const [isMine, setMine] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const rightsId = useId();
  const content = useRef<HTMLDivElement>(null);
  const showProblems = () => {
    flushSync(() => setAsked(true));
    content.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  const { missing, suspicious } = findingsIn(samples);
  const unconfirmed = useUnconfirmed();
  const unstated = samples.filter((sample) => sample.origin === null).length;
  const sum = samples.reduce((credits, { creditCost }) => credits + creditCost, 0);
  const credits = priceInForce(pack.priceCredits, sum) ?? sum;
  const isNameless = isDefaultName(creatorName);
  const releaseAt = isLater ? timeFrom(at) : null;
  const isReady =
    releaseAt !== undefined &&
    isMine &&
    (!isNameless || name.trim() !== '') &&
    (unstated === 0 || origin !== '');
  const work = useMutation({
    mutationFn: () =>
      sendOnce(`publish ${pack.id}`, async () => {
        if (unconfirmed.length > 0 && !(await isConfirmedNow()))
          return toast({ title: 'Confirm your e-mail address before you publish', tone: 'danger' });
        if (isNameless) acceptUser((await api('PATCH /api/me', { body: { displayName: name.trim() } })).user);
        if (origin !== '' && !(await stateOrigin(pack, origin))) return;
        if (releaseAt) await schedule(pack, releaseAt);
        else await publish();
        onClose();
      }),
    onError: notifyError,
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Ready to publish?"
      width={560}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            busy={work.isPending}
            onClick={() => (isReady ? work.mutate() : showProblems())}
          >
            {isLater ? 'Schedule Release' : 'Publish Pack'}
          </Button>
        </>
      }
    >
      <div ref={content}>
        <div className="flex items-start gap-4 pb-4">
          <span className="w-22 flex-none">
            <Cover {...coverOf(pack)} sizes="88px" />
          </span>
          <div className="min-w-0 flex-1">
            <p className="pb-3 text-muted wrap-anywhere">
              {countOf(samples.length, 'sample')} by {creatorName}, {countOf(credits, 'credit')} for all of
              them. {isLater ? 'From then on, everyone' : 'Everyone'} can buy the pack.
            </p>
            <PreviewButton pack={pack} />
          </div>
        </div>
        {isNameless && (
          <div className="pb-4">
            <Input
              label="Your name, as listeners see it"
              maxLength={DISPLAY_NAME_MAX_LENGTH}
              value={name}
              error={isAsked && name.trim() === '' ? 'Choose a name' : undefined}
              onChange={({ target }) => setName(target.value)}
            />
          </div>
        )}
        <List title="missing" findings={[...unconfirmed, ...drawnCover(pack), ...missing]} />
        <List title="suspicious" findings={suspicious} />
        <section className="grid gap-3 border-t border-line py-3">
          <h3 className="font-semibold">Release</h3>
          <div className="flex gap-6">
            {[false, true].map((later) => (
              <label key={String(later)} className="flex min-h-8 items-center gap-2.5">
                <input
                  type="radio"
                  name="release"
                  checked={isLater === later}
                  onChange={() => setLater(later)}
                />
                {later ? 'Later' : 'Now'}
              </label>
            ))}
          </div>
          {isLater && (
            <Input
              label="Day and time"
              type="datetime-local"
              step={300}
              value={at}
              hint="Until then the page of the pack says when it is out, and plays the previews."
              error={isAsked && releaseAt === undefined ? 'Choose a time in the future' : undefined}
              onChange={({ target }) => setAt(target.value)}
            />
          )}
        </section>
        <section className="grid gap-3 border-t border-line pt-3">
          <h3 className="font-semibold">Rights and origin</h3>
          {unstated > 0 && (
            <OriginSelect
              label={`How ${countOf(unstated, 'sample')} without a stated origin ${unstated === 1 ? 'was' : 'were'} made`}
              value={origin}
              isAsked={isAsked}
              onChange={setOrigin}
            />
          )}
          <label className="flex min-h-11 items-center gap-2.5">
            <input
              type="checkbox"
              className="checkbox size-5 flex-none"
              checked={isMine}
              aria-invalid={isAsked && !isMine}
              aria-describedby={isAsked && !isMine ? rightsId : undefined}
              onChange={({ target }) => setMine(target.checked)}
            />
            I made these sounds, or have the rights to sell them
          </label>
          {isAsked && !isMine && (
            <p id={rightsId} role="alert" className="flex items-center gap-1.5 text-sm text-danger">
              <CircleAlert size={14} />
              Confirm that you may sell these sounds.
            </p>
          )}
        </section>
      </div>
    </Dialog>
  );
}
