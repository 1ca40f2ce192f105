import { text } from 'node:stream/consumers';
import { StreamableFile } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import * as z from 'zod';
import { handlersIn } from '../../adapters/platform/http/endpoint-of.js';
import { refuse } from '../../adapters/platform/http/request.js';
import { csvCell } from '../../application/shared/csv.js';
import type { Endpoint } from '../../application/shared/endpoint.js';
import { decimalDollars } from '../../domain/shared/micro-usd.js';
import type { Print, Tools } from '../tools.js';

type Row = Readonly<Record<string, unknown>>;

const MICRO_USD = 'MicroUsd';
const LONGEST_PAGE = 100;

/** Output for people or programs: `json` is the API's answer, `csv` its rows, `table` shows dollars. */
export const PrintFormat = z.enum(['table', 'csv', 'json']);
export type PrintFormat = z.infer<typeof PrintFormat>;

/**
 * @returns false if the field `holds` of the answer is false, because a check
 * failed @throws ZodError, ProblemException
 */
export async function printEndpoint(
  { app }: Tools,
  { endpoint, given, format }: { endpoint: Endpoint; given: Row; format: PrintFormat },
  print: Print,
): Promise<boolean> {
  const { handle } = handlersIn(app.get(DiscoveryService)).get(endpoint.key) ?? {};
  if (!handle) throw new Error(`no handler of ${endpoint.key}`);
  const params = z.looseObject(endpoint.params ?? {}).parse(given);
  const paging = endpoint.query && 'limit' in endpoint.query.shape ? { limit: LONGEST_PAGE } : {};
  const ask = (cursor?: unknown) =>
    handle({ params, query: endpoint.query?.parse({ ...given, ...paging, cursor }), refuse });
  const answer = await ask();
  if (answer instanceof StreamableFile) {
    print((await text(answer.getStream())).trimEnd());
    return true;
  }
  const whole = { ...(answer as Row) };
  const list = listIn(whole);
  while (list && typeof whole['nextCursor'] === 'string') {
    const next = (await ask(whole['nextCursor'])) as Row;
    whole[list] = [...rowsIn(whole[list]), ...rowsIn(next[list])];
    whole['nextCursor'] = next['nextCursor'];
  }
  const [schema] = Object.values(endpoint.answers);
  printAnswer(schema as z.ZodType, whole, format, print);
  return whole['holds'] !== false;
}

/** Prints an answer that has this schema. As CSV: the rows of its list, or the answer itself as the only row. */
export function printAnswer(schema: z.ZodType, answer: Row, format: PrintFormat, print: Print): void {
  if (format === 'json') return print(JSON.stringify(answer, null, 2));
  const list = listIn(answer);
  const shape = shapeOf(schema);
  if (format === 'csv')
    return printCsv(shapeOf(list ? shape[list] : schema), list ? rowsIn(answer[list]) : [answer], print);
  const { nextCursor: _, [list ?? '']: __, ...others } = answer;
  if (list) {
    printTable(shapeOf(shape[list]), rowsIn(answer[list]), print);
    if (Object.keys(others).length > 0) print('');
  }
  printOthers('', others, print);
}

const listIn = (answer: Row): string | undefined =>
  'items' in answer ? 'items' : Object.keys(answer).find((name) => Array.isArray(answer[name]));

const rowsIn = (value: unknown): Row[] => (Array.isArray(value) ? value : []);

function shapeOf(schema: unknown): z.core.$ZodLooseShape {
  if (schema instanceof z.ZodArray) return shapeOf(schema.element);
  if (schema instanceof z.ZodUnion) return shapeOf(schema.options[0]);
  return schema instanceof z.ZodObject ? schema.shape : {};
}

/** Returns the columns of a table. Nested values have none, except remarks, which show their `text`. */
function columnsOf(shape: z.core.$ZodLooseShape, rows: readonly Row[]): string[] {
  const names = new Set([...rows.flatMap(Object.keys), ...Object.keys(shape)]);
  return [...names].filter((name) => {
    const inner = unwrapped(shape[name]);
    const nested =
      inner instanceof z.ZodArray ||
      inner instanceof z.ZodRecord ||
      (inner instanceof z.ZodObject && !('text' in inner.shape));
    return !nested && rows.every((row) => cellOf(row[name]) !== undefined);
  });
}

const unwrapped = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? unwrapped(schema.unwrap()) : schema;

/** CSV requires CRLF: each line gets the carriage return, and `print` adds the line feed. */
function printCsv(shape: z.core.$ZodLooseShape, rows: readonly Row[], print: Print): void {
  const columns = columnsOf(shape, rows);
  for (const cells of [columns, ...rows.map((row) => columns.map((column) => cellOf(row[column]) ?? ''))])
    print(`${cells.map(csvCell).join(',')}\r`);
}

/** Returns the text or number of a value; undefined if it is nested. */
function cellOf(value: unknown): string | number | undefined {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'number' ? value : String(value ?? '');
  return 'text' in value ? String(value.text) : undefined;
}

const isMoney = (name: string): boolean => name.endsWith(MICRO_USD);
const shown = (name: string, value: unknown): string =>
  isMoney(name) && typeof value === 'number' ? decimalDollars(value) : String(cellOf(value) ?? '');

function printTable(shape: z.core.$ZodLooseShape, rows: readonly Row[], print: Print): void {
  if (rows.length === 0) return print('none');
  const columns = columnsOf(shape, rows);
  const texts = rows.map((row) => columns.map((column) => shown(column, row[column])));
  const heads = columns.map((column) => (isMoney(column) ? column.replace(MICRO_USD, '') : column));
  const widths = heads.map((head, index) =>
    Math.max(head.length, ...texts.map((cells) => cells[index]?.length ?? 0)),
  );
  const isNumber = columns.map((column) => typeof rows[0]?.[column] === 'number');
  for (const cells of [heads, ...texts])
    print(
      cells
        .map((cell, index) =>
          isNumber[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    );
}

function printOthers(name: string, values: Row, print: Print): void {
  const nested = Object.entries(values).filter(([, value]) => cellOf(value) === undefined);
  const single = Object.entries(values).filter(([, value]) => cellOf(value) !== undefined);
  if (name && single.length > 0) print(`\n${name}`);
  for (const [key, value] of single)
    print(`${key.replace(MICRO_USD, '').padEnd(24)}${shown(key, value).padStart(18)}`);
  for (const [key, value] of nested) {
    const path = name ? `${name}.${key}` : key;
    if (!Array.isArray(value)) printOthers(path, value as Row, print);
    else if (value.length > 0 && typeof value[0] === 'object') {
      print(`\n${path}`);
      printTable({}, value, print);
    }
  }
}
