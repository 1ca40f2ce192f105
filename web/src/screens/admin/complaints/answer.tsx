import { useMutation, useQuery } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { COMPLAINT_DECISIONS, COUNTER_DECISIONS } from '../../../../../application/complaints/values.js';
import {
  answerComplaint,
  answerCounterNotice,
  type Complaint,
  type ComplaintAnswer,
  type CounterAnswer as CounterBody,
  previewQuery,
} from '../../../api/admin-complaints.js';
import { titleOf } from '../../../creators/complaint-words.js';
import { useReason, whyNot } from '../../../staff/decisions.js';
import { Button } from '../../../ui/button.js';
import { Checkbox, Select, Textarea } from '../../../ui/forms/field.js';
import { toast } from '../../../ui/overlays/toast.js';

function Choices<Decision extends string>(props: {
  name: string;
  of: readonly Decision[];
  chosen: Decision;
  onChoose: (decision: Decision) => void;
  wordsOf: (decision: Decision) => { label: string; hint: string };
}) {
  const { name, of, chosen, onChoose, wordsOf } = props;
  return (
    <div role="radiogroup" aria-label="Decision" className="grid gap-2 fit-200">
      {of.map((each) => (
        <label
          key={each}
          className="grid items-start gap-x-2.5 border border-line px-3.5 py-3 split-20 data-chosen:border-accent data-chosen:bg-hover"
          data-chosen={each === chosen || undefined}
        >
          <input
            type="radio"
            name={name}
            value={each}
            className="row-span-2 mt-0.75 size-4 accent-accent"
            checked={each === chosen}
            onChange={() => onChoose(each)}
          />
          <b>{wordsOf(each).label}</b>
          <span className="text-sm text-muted">{wordsOf(each).hint}</span>
        </label>
      ))}
    </div>
  );
}

function AnswerForm(props: { label: string; onSubmit: () => void; children: ReactNode }) {
  return (
    <form
      noValidate
      aria-label={props.label}
      className="panel px-5 py-5"
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      {props.children}
    </form>
  );
}

const NO_REASON = 'Say why: both read it.';
const ReasonField = (props: Omit<ComponentProps<typeof Textarea>, 'label'>) => (
  <Textarea label="Reason" hint="Both sides read it." className="mt-4" rows={3} {...props} />
);

type Decision = ComplaintAnswer['decision'];
type Measure = Complaint['measures'][number];

const DECISIONS: Record<Decision, { label: string; hint: string }> = {
  upheld: { label: 'Uphold', hint: 'The complaint is right.' },
  partly: { label: 'Uphold in part', hint: 'A part of it is right.' },
  rejected: { label: 'Reject', hint: 'Everything stays as it is.' },
};
const MEASURES: Record<Measure, string> = {
  none: 'Take nothing away',
  refuse: 'Take it off sale; licences stand',
  'take down': 'Take it down; buyers get their credits back',
  return: 'Leave it; buyers get their credits back',
};

function Mails({ id, body }: { id: string; body: ComplaintAnswer }) {
  const { data } = useQuery(previewQuery(id, body));
  if (!data) return null;
  return (
    <div className="grid grid-cols-1 gap-3 lg:grid-cols-2 mt-4">
      {(
        [
          ['To who complains', data.complainant],
          ['To the creator', data.creator],
        ] as const
      ).map(([to, letter]) => (
        <section key={to} aria-label={to} className="border border-line bg-inset px-4 py-3">
          <p className="text-sm text-muted">{to}</p>
          <p className="mt-1 font-semibold wrap-anywhere">{letter.subject}</p>
          {letter.lines.map((line) => (
            <p key={line} className="mt-2 text-sm whitespace-pre-wrap wrap-anywhere">
              {line}
            </p>
          ))}
        </section>
      ))}
    </div>
  );
}

export function Answer({ complaint }: { complaint: Complaint }) {
  const { id, measures } = complaint;
  const [decision, setDecision] = useState<Decision>('rejected');
  const [measure, setMeasure] = useState<Measure>('none');
  const [isStrike, setStrike] = useState(false);
  const [shown, setShown] = useState<ComplaintAnswer>();
  const { reason, hasReason, problem, setProblem, field } = useReason(() => setShown(undefined));
  const withholds = measure === 'refuse' || measure === 'take down';
  const body: ComplaintAnswer = {
    decision,
    measure: decision === 'rejected' ? 'none' : measure,
    isStrike: decision !== 'rejected' && withholds && isStrike,
    reason,
  };
  const { mutate, isPending } = useMutation({
    mutationFn: () => answerComplaint(id, body),
    onSuccess: () => toast({ title: `Answered: ${titleOf(complaint)}`, tone: 'ok' }),
    onError: (error) => setProblem(whyNot(error, 'answered')),
  });
  const change = (then: () => void) => {
    then();
    setProblem(undefined);
    setShown(undefined);
  };
  return (
    <AnswerForm label="Answer" onSubmit={() => hasReason(NO_REASON) && !isPending && mutate()}>
      <Choices
        name="decision"
        of={COMPLAINT_DECISIONS}
        chosen={decision}
        onChoose={(each) => change(() => setDecision(each))}
        wordsOf={(each) => DECISIONS[each]}
      />
      {decision !== 'rejected' && measures.length > 1 && (
        <Select
          label="What is done"
          className="mt-4 max-w-120"
          value={measure}
          options={measures.map((each) => [each, MEASURES[each]])}
          onChange={(event) => change(() => setMeasure(event.target.value as Measure))}
        />
      )}
      {decision !== 'rejected' && withholds && (
        <Checkbox
          className="mt-3"
          label="Record a strike, which counts for a year"
          checked={isStrike}
          onChange={(event) => change(() => setStrike(event.target.checked))}
        />
      )}
      <ReasonField {...field} error={problem} />
      {shown && <Mails id={id} body={shown} />}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button type="submit" tone={decision === 'rejected' ? 'primary' : 'danger'} busy={isPending}>
          {DECISIONS[decision].label}
        </Button>
        <Button onClick={() => hasReason(NO_REASON) && setShown(body)}>Show the mails</Button>
      </div>
    </AnswerForm>
  );
}

type CounterDecision = CounterBody['decision'];
const hintOf = (decision: CounterDecision, { subject }: Complaint): string => {
  if (decision === 'stands') return 'It stays away.';
  return subject.kind === 'pack'
    ? 'The strike is lifted. The creator must publish the pack again.'
    : 'It is on sale again, and the strike goes.';
};
const LABELS = { restored: 'Give it back', stands: 'Let the answer stand' } as const;

export function CounterAnswer({ complaint }: { complaint: Complaint }) {
  const [decision, setDecision] = useState<CounterDecision>('stands');
  const { reason, hasReason, problem, setProblem, field } = useReason();
  const { mutate, isPending } = useMutation({
    mutationFn: () => answerCounterNotice(complaint.id, { decision, reason }),
    onSuccess: () => toast({ title: `Answered: ${titleOf(complaint)}`, tone: 'ok' }),
    onError: (error) => setProblem(whyNot(error, 'answered')),
  });
  return (
    <AnswerForm
      label="Answer to the counter-notice"
      onSubmit={() => hasReason(NO_REASON) && !isPending && mutate()}
    >
      <Choices
        name="counter"
        of={COUNTER_DECISIONS}
        chosen={decision}
        onChoose={setDecision}
        wordsOf={(each) => ({ label: LABELS[each], hint: hintOf(each, complaint) })}
      />
      <ReasonField {...field} error={problem} />
      <Button type="submit" tone="primary" className="mt-4" busy={isPending}>
        {LABELS[decision]}
      </Button>
    </AnswerForm>
  );
}
