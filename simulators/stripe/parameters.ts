import { invalid, missing } from './faults.js';

/** A decoded form-encoded body or query; its leaves are text. */
export type Form = string | Form[] | { [key: string]: Form };

/**
 * Decodes Stripe's form encoding: `items[0][price]=x&metadata[a]=b&expand[]=c`.
 * Keys that are all digits (or empty) make lists. Other keys make objects without a prototype.
 */
export function decodeForm(text: string): { [key: string]: Form } {
  const root: { [key: string]: Form } = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [...name.matchAll(/([^[\]]+)|\[([^[\]]*)\]/g)].map((part) => part[1] ?? part[2] ?? '');
    if (path.length > 8) throw invalid('Invalid request: parameters are nested too deeply', path[0]);
    let node: { [key: string]: Form } = root;
    path.forEach((rawKey, depth) => {
      const key = rawKey === '' && depth > 0 ? String(Object.keys(node).length) : rawKey;
      if (depth === path.length - 1) node[key] = value;
      else {
        const next = node[key];
        if (typeof next === 'object' && !Array.isArray(next)) node = next;
        else node = node[key] = Object.create(null) as { [key: string]: Form };
      }
    });
  }
  return listsOf(root) as { [key: string]: Form };
}

function listsOf(form: Form): Form {
  if (typeof form === 'string' || Array.isArray(form)) return form;
  const entries = Object.entries(form).map(([key, value]) => [key, listsOf(value)] as const);
  if (entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key)))
    return entries.map(([, value]) => value);
  return Object.assign(Object.create(null) as object, Object.fromEntries(entries)) as Form;
}

/** Reads one level of parameters. `done()` refuses parameters that were not read, as Stripe does. */
export class Parameters {
  private readonly asked = new Set<string>(['expand']);

  constructor(
    private readonly form: { [key: string]: Form },
    private readonly path = '',
  ) {}

  private name(name: string): string {
    return this.path ? `${this.path}[${name}]` : name;
  }

  private take(name: string): Form | undefined {
    this.asked.add(name);
    return this.form[name];
  }

  has(name: string): boolean {
    return this.form[name] !== undefined;
  }

  /** Returns whether the value is empty, which unsets an object or list. */
  unset(name: string): boolean {
    return this.take(name) === '';
  }

  /** Returns text. As in Stripe, an empty text means "unset" and is returned as null. */
  text(name: string): string | null | undefined {
    const value = this.take(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw invalid('Invalid string', this.name(name));
    if (value.length > 5000) throw invalid(`Invalid string: too long`, this.name(name));
    return value === '' ? null : value;
  }

  /** Sets those fields of an object that the parameters contain. */
  assign<Field extends string>(object: { [Name in Field]?: string | null }, ...fields: Field[]): void {
    for (const field of fields) {
      const value = this.text(field);
      if (value !== undefined) object[field] = value;
    }
  }

  required(name: string): string {
    const value = this.text(name);
    if (!value) throw missing(this.name(name));
    return value;
  }

  integer(name: string): number | undefined {
    const value = this.text(name);
    if (!value) return undefined;
    if (!/^-?\d{1,15}$/.test(value))
      throw invalid(`Invalid integer: ${value}`, this.name(name), 'parameter_invalid_integer');
    return Number(value);
  }

  flag(name: string): boolean | undefined {
    const value = this.text(name);
    if (!value) return undefined;
    if (value !== 'true' && value !== 'false') throw invalid(`Invalid boolean: ${value}`, this.name(name));
    return value === 'true';
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const value = this.text(name);
    if (!value) return undefined;
    if (!values.includes(value as Value))
      throw invalid(`Invalid ${name}: must be one of ${values.join(', ')}`, this.name(name));
    return value as Value;
  }

  /** Reads a list of objects with `read`, which has to read all parameters of each object. */
  each<Result>(name: string, read: (item: Parameters, index: number) => Result): Result[] | undefined {
    const value = this.take(name);
    if (value === undefined || value === '') return undefined;
    if (!Array.isArray(value)) throw invalid('Invalid array', this.name(name));
    return value.map((item, index) => {
      if (typeof item !== 'object' || Array.isArray(item)) throw invalid('Invalid hash', this.name(name));
      return new Parameters(item, `${this.name(name)}[${index}]`).whole((inner) => read(inner, index));
    });
  }

  /** Reads a list that must have one item. */
  only<Result>(name: string, read: (item: Parameters) => Result): Result {
    const items = this.each(name, read) ?? [];
    if (items.length !== 1) throw missing(this.name(name));
    return items[0] as Result;
  }

  texts(name: string): string[] | undefined {
    const value = this.take(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || value.some((item) => typeof item !== 'string'))
      throw invalid('Invalid array', this.name(name));
    return value as string[];
  }

  /** Reads an object with `read`, which has to read all parameters of the object. */
  nested<Result>(name: string, read: (inner: Parameters) => Result): Result | undefined {
    const value = this.take(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'object' || Array.isArray(value)) throw invalid('Invalid object', this.name(name));
    return new Parameters(value, this.name(name)).whole(read);
  }

  /** Reads `enabled` of an object such as `automatic_tax`. */
  enabled(name: string): boolean | undefined {
    return this.nested(name, (inner) => inner.flag('enabled'));
  }

  private whole<Result>(read: (parameters: Parameters) => Result): Result {
    const result = read(this);
    this.done();
    return result;
  }

  /** Returns a filter for ranges such as `created`: an exact time, or gt, gte, lt and lte. */
  range(name: string): ((value: number) => boolean) | undefined {
    if (typeof this.form[name] === 'string') {
      const exact = this.integer(name);
      return (value) => value === exact;
    }
    return this.nested(name, (limits) => {
      const [gt, gte, lt, lte] = ['gt', 'gte', 'lt', 'lte'].map((key) => limits.integer(key));
      return (value) =>
        (gt === undefined || value > gt) &&
        (gte === undefined || value >= gte) &&
        (lt === undefined || value < lt) &&
        (lte === undefined || value <= lte);
    });
  }

  /** Returns `current` merged with `metadata`: an empty value removes its key, an empty text removes all keys. */
  metadata(current: Record<string, string> = {}): Record<string, string> {
    const given = this.take('metadata');
    if (given === undefined) return current;
    if (given === '') return {};
    if (typeof given === 'string' || Array.isArray(given))
      throw invalid('Invalid object', this.name('metadata'));
    const merged = { ...current };
    for (const [key, value] of Object.entries(given)) {
      if (typeof value !== 'string') throw invalid('Metadata values must be strings', this.name('metadata'));
      if (value === '') delete merged[key];
      else merged[key] = value;
    }
    if (Object.keys(merged).length > 50) throw invalid('At most 50 metadata keys', this.name('metadata'));
    return merged;
  }

  /** Call after reading everything. Throws if a parameter was not read. */
  done(): void {
    const unknown = Object.keys(this.form).find((key) => !this.asked.has(key));
    if (unknown !== undefined)
      throw invalid(
        `Received unknown parameter: ${this.name(unknown)}`,
        this.name(unknown),
        'parameter_unknown',
      );
  }
}
