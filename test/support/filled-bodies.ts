import type { ApiDescription } from './fuzz.js';

type Schema = ApiDescription['components']['schemas'][string] & {
  pattern?: string;
  additionalProperties?: Schema | boolean;
};

/** Whether the field accepts any text. */
const isText = ({ type, format, pattern }: Schema): boolean =>
  [type].flat().includes('string') && (format === 'email' || (!format && !pattern));

/** Creates bodies from the description of the API in which every text field has the same text. */
export class FilledBodies {
  constructor(
    private readonly api: ApiDescription,
    private readonly words: { text: string; email: string },
  ) {}

  /** Returns the path of every text field of a body, such as `items.title`, in all variants. */
  textsOf(method: string, route: string): string[] {
    const found = new Set<string>();
    this.walk(this.schemaOf(method, route), [], (path, schema) => {
      if (isText(schema)) found.add(path.join('.'));
    });
    return [...found].sort();
  }

  /** @param given values to use instead, by path; they select the variant that has the most of them */
  body(method: string, route: string, given: Record<string, unknown>): Record<string, unknown> {
    const schema = this.schemaOf(method, route);
    return (schema ? this.fill(schema, [], given) : {}) as Record<string, unknown>;
  }

  private schemaOf(method: string, route: string): Schema | undefined {
    const content = this.api.paths[route]?.[method.toLowerCase()]?.requestBody?.content ?? {};
    return content['application/json']?.schema as Schema | undefined;
  }

  private resolved(given: Schema): Schema {
    if (!given.$ref) return given;
    return this.resolved(this.api.components.schemas[given.$ref.split('/').at(-1) ?? ''] as Schema);
  }

  private walk(
    given: Schema | undefined,
    path: string[],
    visit: (path: string[], schema: Schema) => void,
  ): void {
    if (!given || path.length > 6) return;
    const schema = this.resolved(given);
    if (schema.enum || schema.const !== undefined) return;
    visit(path, schema);
    for (const each of schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []) this.walk(each, path, visit);
    for (const [name, member] of Object.entries(schema.properties ?? {}))
      this.walk(member, [...path, name], visit);
    this.walk(schema.items, path, visit);
  }

  private fill(given: Schema, path: string[], set: Record<string, unknown>): unknown {
    const key = path.join('.');
    if (key in set) return set[key];
    const schema = this.resolved(given);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum[0];
    const variants = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
    if (variants) return this.fill(this.variant(variants, path, set), path, set);
    switch ([schema.type].flat()[0]) {
      case 'object':
        return Object.fromEntries(
          Object.entries(schema.properties ?? {})
            .map(([name, member]) => [name, this.fill(member, [...path, name], set)] as const)
            .filter(([, value]) => value !== undefined),
        );
      case 'array':
        return [this.fill(schema.items ?? {}, path, set)];
      case 'integer':
      case 'number':
        return Math.max(schema.minimum ?? 0, 1);
      case 'boolean':
        return true;
      case 'string':
        if (schema.format === 'email') return this.words.email;
        return isText(schema) ? this.words.text : undefined;
      default:
        return undefined;
    }
  }

  /** Returns the variant that agrees with the given values and has the most of them. */
  private variant(variants: Schema[], path: string[], set: Record<string, unknown>): Schema {
    const fits = (schema: Schema): number => {
      const { properties = {} } = this.resolved(schema);
      const own = Object.keys(set).filter((key) => (key.split('.')[path.length] as string) in properties);
      const contradicts = own.some((key) => {
        const { const: only, enum: some = [only] } = properties[key] ?? {};
        return some[0] !== undefined && !some.includes(set[key]);
      });
      return contradicts ? -1 : own.length;
    };
    return variants.toSorted((a, b) => fits(b) - fits(a))[0] as Schema;
  }
}
