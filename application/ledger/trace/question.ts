import { assertMicroUsd } from '../../../domain/shared/micro-usd.js';

/** The possible meanings of a search text, often several at once. */
export interface Question {
  text: string;
  id?: string;
  position?: number;
  amountMicroUsd?: number;
  /** `2026-11-20` */
  day?: string;
}

/** Shorter beginnings of ids match too many. */
const ID_MIN_LENGTH = 6;
const ID = /^[\w:.-]+$/;
const POSITION = /^#?(\d{1,15})$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** "12.34", "−12.34", "$1,599.00"; micro-dollars have six places. */
const AMOUNT = /^[-+\u2212]?\s*\$?\s*(\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d{1,6}))?(?:\s*usd)?$/i;

export function readQuestion(asked: string): Question {
  const text = asked.trim();
  const question: Question = { text };
  if (ID.test(text) && text.length >= ID_MIN_LENGTH) question.id = text;
  const [, position] = POSITION.exec(text) ?? [];
  if (position) question.position = Number(position);
  const [, whole, places = ''] = AMOUNT.exec(text) ?? [];
  if (whole)
    question.amountMicroUsd = assertMicroUsd(Number(whole.replaceAll(',', '') + places.padEnd(6, '0')));
  if (DAY.test(text) && !Number.isNaN(Date.parse(text))) question.day = text;
  return question;
}
