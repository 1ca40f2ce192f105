/** The parts of a JSON Schema that an example depends on. */
interface Schema {
  $defs?: Schemas;
  $ref?: string;
  examples?: unknown[];
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  type?: string | string[];
  properties?: Schemas;
  items?: Schema;
  minItems?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  format?: string;
  minLength?: number;
  maxLength?: number;
}
type Schemas = Record<string, Schema>;

const BY_FORMAT: Record<string, string> = {
  'date-time': '2026-11-20T12:00:00.000Z',
  date: '2026-11-20',
  email: 'noor@example.com',
  uuid: '3f8e5a52-9c1b-4f7a-8d57-2a6b1c0e9d34',
  uri: 'https://example.com/',
};

/**
 * Returns the schema's own example if it has one, otherwise a simple value that fits.
 * @param defs the schemas that `given` references by name; if absent, its own `$defs`
 */
export function exampleOf(given: object, name = 'text', defs?: object): unknown {
  const schema = given as Schema;
  return valueOf(schema, name, (defs ?? schema.$defs ?? {}) as Schemas);
}

function valueOf(schema: Schema, name: string, defs: Schemas): unknown {
  const { examples, default: usual, const: only, enum: some, anyOf, oneOf, allOf, $ref } = schema;
  for (const named of [examples?.[0], only, usual, some?.[0]]) if (named !== undefined) return named;
  if ($ref) return valueOf(defs[$ref.split('/').at(-1) ?? ''] ?? {}, name, defs);
  const choice = (anyOf ?? oneOf)?.[0];
  if (choice) return valueOf({ ...schema, anyOf: undefined, oneOf: undefined, ...choice }, name, defs);
  if (allOf) return Object.assign({}, ...allOf.map((part) => valueOf(part, name, defs))) as unknown;
  return byType(schema, name, defs);
}

function byType(schema: Schema, name: string, defs: Schemas): unknown {
  const { properties = {}, items = {}, minItems = 1, minimum = 1, exclusiveMinimum = 0, maximum } = schema;
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(properties).map(([key, member]) => [key, valueOf(member, key, defs)]),
      );
    case 'array':
      return Array.from({ length: Math.max(1, minItems) }, () => valueOf(items, name, defs));
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, minimum, exclusiveMinimum + 1), maximum ?? Number.MAX_SAFE_INTEGER);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return textFor(schema, name);
  }
}

const textFor = ({ format = '', minLength = 0, maxLength = 1_000 }: Schema, name: string): string =>
  BY_FORMAT[format] ?? name.padEnd(minLength, 'x').slice(0, maxLength);
