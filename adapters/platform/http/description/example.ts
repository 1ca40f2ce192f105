type Schema = Record<string, unknown> & { $defs?: Record<string, Schema> };

const BY_FORMAT: Record<string, string> = {
  'date-time': '2026-11-20T12:00:00.000Z',
  date: '2026-11-20',
  email: 'noor@example.com',
  uuid: '3f8e5a52-9c1b-4f7a-8d57-2a6b1c0e9d34',
  uri: 'https://example.com/',
};

/** Returns the schema's own example if it has one, else the simplest value that fits. */
export function exampleOf(schema: Schema, name = 'text', defs = schema.$defs ?? {}): unknown {
  const {
    examples,
    default: usual,
    const: only,
    enum: some,
    anyOf,
    oneOf,
    allOf,
    $ref,
  } = schema as {
    examples?: unknown[];
    default?: unknown;
    const?: unknown;
    enum?: unknown[];
    anyOf?: Schema[];
    oneOf?: Schema[];
    allOf?: Schema[];
    $ref?: string;
  };
  for (const named of [examples?.[0], only, usual, some?.[0]]) if (named !== undefined) return named;
  if ($ref) return exampleOf(defs[$ref.split('/').at(-1) ?? ''] ?? {}, name, defs);
  const choice = (anyOf ?? oneOf)?.[0];
  if (choice) return exampleOf({ ...schema, anyOf: undefined, oneOf: undefined, ...choice }, name, defs);
  if (allOf) return Object.assign({}, ...allOf.map((part) => exampleOf(part, name, defs))) as unknown;
  return byType(schema, name, defs);
}

function byType(schema: Schema, name: string, defs: Record<string, Schema>): unknown {
  const {
    properties = {},
    items,
    minItems = 1,
    minimum = 1,
    exclusiveMinimum,
    maximum,
  } = schema as {
    properties?: Record<string, Schema>;
    items?: Schema;
    minItems?: number;
    minimum?: number;
    exclusiveMinimum?: number;
    maximum?: number;
  };
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(properties).map(([key, member]) => [key, exampleOf(member, key, defs)]),
      );
    case 'array':
      return Array.from({ length: Math.max(1, minItems) }, () => exampleOf(items ?? {}, name, defs));
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, minimum, (exclusiveMinimum ?? 0) + 1), maximum ?? Number.MAX_SAFE_INTEGER);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return textFor(schema, name);
  }
}

function textFor(schema: Schema, name: string): string {
  const {
    format,
    minLength = 0,
    maxLength = 1_000,
  } = schema as {
    format?: string;
    minLength?: number;
    maxLength?: number;
  };
  return BY_FORMAT[format ?? ''] ?? name.padEnd(minLength, 'x').slice(0, maxLength);
}
