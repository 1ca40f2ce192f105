import type { ComplaintDecision, CounterDecision, Measure } from '../../domain/complaints/complaint.js';
import type { FactLetter } from '../mail/fact-mails.js';
import type { Letter } from '../mail/mailer.js';
import { dayOf } from '../shared/text.js';
import type { ComplaintAnswer, OwnComplaint } from './contract.js';
import { KIND_WORDS } from './values.js';

type Of = Pick<OwnComplaint, 'kind' | 'subject'>;

const named = ({ subject: { kind, title } }: Of): string =>
  kind === 'creator' ? `${title}’s profile` : `“${title}”`;

const DECIDED: Record<ComplaintDecision, string> = {
  upheld: 'We agree with the complaint.',
  partly: 'We agree with a part of the complaint.',
  rejected: 'We do not agree with the complaint.',
};

function done(measure: Measure, name: string, decision: ComplaintDecision): string {
  switch (measure) {
    case 'none':
      return decision === 'rejected' ? `${name} stays as it is.` : `Nothing was removed from ${name}.`;
    case 'refuse':
      return `${name} is no longer sold. Licences that were bought remain valid.`;
    case 'take down':
      return `${name} was taken down, and its buyers get their credits back.`;
    case 'return':
      return `${name} stays, and its buyers get their credits back.`;
  }
}

const reasonOf = (reason: string): string[] => (reason === '' ? [] : ['The reason given:', reason]);

export const receivedLetter = (of: Of, answerBy: string): Letter => ({
  subject: `We have your complaint about ${named(of)}`,
  lines: [`We will answer it by ${dayOf(answerBy)}. Follow it here:`],
});

/** The mail that informs the accused creator of a new complaint. */
export const creatorLetter = (of: Of): FactLetter => ({
  kind: 'cases',
  subject: `We received a complaint about ${named(of)}`,
  lines: [
    `The complaint is about ${KIND_WORDS[of.kind]}. Nothing has changed yet. You need not do anything: our staff review it first. The complaint:`,
  ],
});

export const heldLetter = (of: Of): Letter => ({
  subject: `${named(of)} waits for an answer to a complaint`,
  lines: [`${named(of)} is not on sale until a complaint about ${KIND_WORDS[of.kind]} is answered:`],
});

export function answerLetters(
  of: Of,
  { decision, measure, isStrike, reason }: ComplaintAnswer,
  counterBy: string | undefined,
): { complainant: Letter; creator: Letter } {
  const name = named(of);
  const said = [DECIDED[decision], done(measure, name, decision), ...reasonOf(reason)];
  const objection =
    counterBy === undefined
      ? []
      : [`If this is wrong, you can object until ${dayOf(counterBy)} on the complaint’s page.`];
  const strike = isStrike
    ? ['It counts as a strike for a year. With three, your account may be suspended.']
    : [];
  return {
    complainant: { subject: `Your complaint about ${name} was answered`, lines: [...said, 'Its page:'] },
    creator: {
      subject: `A complaint about ${name} was answered`,
      lines: [...said, ...strike, ...objection, 'Its page:'],
    },
  };
}

export const counterLetter = (of: Of, answerBy: string): FactLetter => ({
  kind: 'cases',
  subject: `The creator objects: ${named(of)}`,
  lines: [
    `The creator of what you complained about says that our answer was wrong. We will decide by ${dayOf(answerBy)}:`,
  ],
});
export const counterReceivedLetter = (of: Of, answerBy: string): FactLetter => ({
  kind: 'cases',
  subject: `We have your counter-notice about ${named(of)}`,
  lines: [`We will decide by ${dayOf(answerBy)}. Follow it here:`],
});

export function counterAnswerLetter(of: Of, decision: CounterDecision, reason: string): Letter {
  const name = named(of);
  const restored =
    of.subject.kind === 'pack'
      ? `We were wrong. A pack that was taken down is not restored automatically. Its creator may publish it again, and the strike is removed.`
      : `We were wrong. ${name} may be sold again, and the strike is removed.`;
  return {
    subject: decision === 'restored' ? `${name} may come back` : `Our answer about ${name} stands`,
    lines: [
      decision === 'restored' ? restored : 'We reviewed our answer and confirm it.',
      ...reasonOf(reason),
      'The complaint’s page:',
    ],
  };
}

export const withdrawnLetter = (of: Of): FactLetter => ({
  kind: 'cases',
  subject: `The complaint about ${named(of)} was withdrawn`,
  lines: ['You need not do anything. Its page:'],
});

export const confirmLetter = (of: Of, days: number): Letter => ({
  subject: `Confirm your complaint about ${named(of)}`,
  lines: [
    `A complaint about ${named(of)} was filed with this address. Confirm it within ${days} days. Until then it is not shown to anyone:`,
  ],
});

/** The only text on the page of a subject that was taken down. */
export const takedownNotice = ({ kind, at }: { kind: OwnComplaint['kind']; at: Date }): string =>
  `Taken down after a complaint about ${KIND_WORDS[kind]}, ${dayOf(at)}.`;
