import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { api, query } from '../api/api.js';
import type { Answer, Input } from '../api/endpoints.js';
import { invalidate } from '../api/query-client.js';
import { businessNow } from '../clock.js';
import { REASON_MAX_LENGTH, REASON_MIN_LENGTH } from '../../../application/shared/values.js';
import { messageOf } from '../api/transport/http.js';
import { paths } from '../paths.js';
import { Badge, Chip } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Textarea } from '../ui/forms/field.js';
import { formatDay } from '../ui/format.js';
import { Section } from '../ui/section.js';

type OwnCopy = Answer<'GET /api/creator/copies'>['items'][number];
type ClaimKind = Input<'POST /api/creator/copies'>['body']['kind'];

const copiesChanged = () => void invalidate('GET /api/creator/copies');

const RECENT_MS = 30 * 86_400_000;

function Say(props: {
  label: string;
  placeholder: string;
  send: (text: string) => Promise<void>;
  children?: ReactNode;
}) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const { mutate, isPending } = useMutation({
    mutationFn: () => props.send(text.trim()),
    onSuccess: () => setText(''),
    onError: (error) => setProblem(messageOf(error)),
  });
  return (
    <form
      noValidate
      className="mt-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim().length < REASON_MIN_LENGTH) setProblem('Say it in a sentence');
        else mutate();
      }}
    >
      {props.children}
      <Textarea
        label={props.label}
        hint="Only the Offcut staff who decide can read it."
        rows={2}
        placeholder={props.placeholder}
        maxLength={REASON_MAX_LENGTH}
        value={text}
        error={problem}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(undefined);
        }}
      />
      <Button type="submit" tone="primary" className="mt-3" busy={isPending}>
        Send
      </Button>
    </form>
  );
}

const KINDS: Record<ClaimKind, { chip: string; placeholder: string }> = {
  licence: { chip: 'I have a licence', placeholder: 'From whom, since when, and where it can be looked up' },
  'own work': { chip: 'I made it', placeholder: 'How and when you made it' },
};

function Claim({ send }: { send: (kind: ClaimKind, text: string) => Promise<void> }) {
  const [kind, setKind] = useState<ClaimKind>('licence');
  return (
    <Say
      label="Why it is yours to sell"
      placeholder={KINDS[kind].placeholder}
      send={(text) => send(kind, text)}
    >
      <div role="group" aria-label="Why" className="mb-3 flex flex-wrap gap-2">
        {(['licence', 'own work'] as const).map((each) => (
          <Chip key={each} pressed={each === kind} onClick={() => setKind(each)}>
            {KINDS[each].chip}
          </Chip>
        ))}
      </div>
    </Say>
  );
}

const BADGES: Record<OwnCopy['status'], { label: string; tone: 'warn' | 'ok' | 'danger' | 'neutral' }> = {
  open: { label: 'Waits for a decision', tone: 'warn' },
  allowed: { label: 'Allowed', tone: 'ok' },
  refused: { label: 'Refused', tone: 'danger' },
  'taken down': { label: 'Taken down', tone: 'danger' },
  lapsed: { label: 'Closed', tone: 'neutral' },
  swapped: { label: 'Closed', tone: 'neutral' },
};

const SENTENCES: Record<
  OwnCopy['side'],
  Record<OwnCopy['status'], (title: string, isHeld: boolean) => string>
> = {
  newcomer: {
    open: (title, isHeld) =>
      `“${title}” sounds like a sound that another creator published earlier. It ${isHeld ? 'is off' : 'stays on'} sale until we have listened to both.`,
    allowed: (title) => `“${title}” may be sold.`,
    refused: (title) => `“${title}” is not sold. Licences that were bought remain valid.`,
    'taken down': (title) => `“${title}” was taken down for good. Its buyers get their credits back.`,
    lapsed: (title) => `“${title}” was replaced or deleted, so no decision was needed.`,
    swapped: (title) => `“${title}” was taken for the earlier one of two sounds that are alike.`,
  },
  original: {
    open: (title) =>
      `Another creator uploaded a sound that may be a copy of “${title}”. Theirs is off sale until we have listened to both.`,
    allowed: (title) => `What sounds like “${title}” may be sold: it is no copy, or there is a licence.`,
    refused: (title) => `What sounds like “${title}” is no longer sold.`,
    'taken down': (title) => `What sounds like “${title}” was taken down.`,
    lapsed: (title) => `What sounded like “${title}” is gone.`,
    swapped: (title) => `What sounds like “${title}” was taken for the earlier one of the two.`,
  },
};

function Copy({ copy }: { copy: OwnCopy }) {
  const { side, status, sample, other, said, reason, decidedAt } = copy;
  const { label, tone } = BADGES[status];
  const [isSpeaking, setSpeaking] = useState(false);
  const params = { id: copy.id };
  const sent = (answer: Promise<unknown>) => answer.finally(copiesChanged).then(() => setSpeaking(false));
  return (
    <li className="panel px-5 py-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <div className="min-w-0 flex-[1_1_320px]">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <b className="min-w-0 text-md wrap-anywhere">{sample.title}</b> <Badge tone={tone}>{label}</Badge>
            <span className="text-sm text-muted">
              in {sample.packTitle}
              {decidedAt && `, ${formatDay(decidedAt)}`}
            </span>
          </p>
          <p className="mt-1">{SENTENCES[side][status](sample.title, copy.isHeld)}</p>
          {other && (
            <p className="mt-1 text-muted">
              {side === 'newcomer' ? 'It is like ' : 'It is '}
              <Link to={paths.pack({ creator: other.creatorHandle, slug: other.packSlug })}>
                {other.title} by {other.creatorName}
              </Link>
              .
            </p>
          )}
          {reason && <p className="mt-1 wrap-anywhere">The reason given: {reason}</p>}
          {said && <p className="mt-1 text-muted wrap-anywhere">You said: {said}</p>}
        </div>
        {status === 'open' && !isSpeaking && (
          <Button size="small" aria-expanded={false} onClick={() => setSpeaking(true)}>
            {side === 'newcomer' ? 'Say why it is yours' : 'Say what you know'}
            <span className="sr-only"> about {sample.title}</span>
          </Button>
        )}
      </div>
      {status === 'open' && isSpeaking && side === 'newcomer' && (
        <Claim
          send={(kind, text) =>
            sent(api('POST /api/creator/copies/:id/licence', { params, body: { kind, text } }))
          }
        />
      )}
      {status === 'open' && isSpeaking && side === 'original' && (
        <Say
          label="What you know about it"
          placeholder="Whether they have a licence, or where you heard yours in theirs"
          send={(text) => sent(api('POST /api/creator/copies/:id/answer', { params, body: { text } }))}
        />
      )}
    </li>
  );
}

/**
 * The visitor's sounds that may be copies, and those that another creator may have copied. Lists open cases, and cases
 * decided in the last 30 days.
 * @param props.packId limits the list to the visitor's sounds in this pack
 */
export default function OwnCopies(props: {
  packId?: string;
  className?: string;
  /** The text if there are no sounds to list. Without it, the section is hidden then. */
  empty?: string;
}) {
  const { packId, className, empty } = props;
  const { data } = useQuery(query('GET /api/creator/copies'));
  const [since] = useState(() => businessNow() - RECENT_MS);
  const shown = data?.items.filter(
    ({ sample, status, decidedAt }) =>
      (packId === undefined || sample.packId === packId) &&
      (status === 'open' || Date.parse(decidedAt ?? '') > since),
  );
  if (!shown || (shown.length === 0 && empty === undefined)) return null;
  return (
    <Section title="Sounds that are alike" heading="mb-2 text-md font-semibold" className={className}>
      {shown.length === 0 && <p className="text-muted">{empty}</p>}
      <ul className="grid gap-3">
        {shown.map((copy) => (
          <Copy key={`${copy.id} ${copy.side}`} copy={copy} />
        ))}
      </ul>
    </Section>
  );
}

/** A note that a recording was not published because another creator published it first, and a form to claim it. */
export function RefusedRecording(props: { sampleId: string; name: string; onSaid: () => void }) {
  const { sampleId, name, onSaid } = props;
  return (
    <section aria-label={`“${name}” was published before`} className="panel mt-4 border-danger p-5">
      <p>
        <b>“{name}” is the same recording as one that another creator published before.</b> If it is yours to
        sell, say why. It waits for the decision of our staff, and the rest of the pack can be published.
      </p>
      <Claim
        send={async (kind, text) => {
          await api('POST /api/creator/copies', { body: { sampleId, kind, text } }).finally(copiesChanged);
          onSaid();
        }}
      />
    </section>
  );
}
