const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML and XML, also inside attributes. */
export const escaped = (text: string): string =>
  text
    // HTML and XML forbid control characters, and XML the last two code points of the basic plane.
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"']/g, (letter) => ENTITIES[letter] as string);

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Returns an XML element. Escapes the attributes, of which it skips undefined ones, but not the children. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const parts = Object.entries(attributes).map(([key, value]) => {
    if (value === undefined) return '';
    return ` ${key}="${escaped(typeof value === 'number' ? decimal(value) : String(value))}"`;
  });
  const opening = `<${name}${parts.join('')}`;
  return children.length > 0 ? `${opening}>${children.join('')}</${name}>` : `${opening}/>`;
}

/** Returns a number with at most nine decimals, and never with an exponent. */
export const decimal = (value: number): string => value.toFixed(9).replace(/\.?0+$/, '');
