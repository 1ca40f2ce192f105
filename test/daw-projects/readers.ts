/** Readers of the two formats that share no code with their writers. */

export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescaped = (text: string) => text.replaceAll(/&([^;]+);/g, (_, name: string) => ENTITIES[name] ?? '?');

/** Returns the root of an XML document without comments, DTD and processing instructions. */
export function readXml(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  for (const [, end, name = '', facts = '', empty, text = ''] of xml
    .replace(/^<\?xml [^?]*\?>\n/, '')
    .matchAll(/<(\/?)([A-Za-z]+)((?:\s[A-Za-z]+="[^"<]*")*)(\/?)>|([^<>]+)/g)) {
    const parent = open.at(-1) as Element;
    if (name === '') parent.text += unescaped(text);
    else if (end) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes nothing`);
    } else {
      const attributes = Object.fromEntries(
        Array.from(facts.matchAll(/([A-Za-z]+)="([^"]*)"/g), ([, key, value = '']) => [
          key,
          unescaped(value),
        ]),
      );
      const element: Element = { name, attributes, children: [], text: '' };
      parent.children.push(element);
      if (!empty) open.push(element);
    }
  }
  if (open.length !== 1 || root.children.length !== 1) throw new Error('not one whole element');
  return root.children[0] as Element;
}

export const allOf = (element: Element, name: string): Element[] => [
  ...(element.name === name ? [element] : []),
  ...element.children.flatMap((child) => allOf(child, name)),
];

export function oneOf(element: Element, name: string): Element {
  const found = allOf(element, name);
  if (found.length !== 1) throw new Error(`${found.length} of ${name}`);
  return found[0] as Element;
}

/** A block of a REAPER project: its tokens, the lines in it by their first token, and the blocks in it. */
export interface Block {
  tokens: string[];
  lines: Record<string, string[]>;
  blocks: Block[];
}

const tokensOf = (line: string): string[] =>
  Array.from(line.matchAll(/"([^"]*)"|'([^']*)'|`([^`]*)`|(\S+)/g), (found) => found.slice(1).join(''));

export function readRpp(text: string): Block {
  const root: Block = { tokens: [], lines: {}, blocks: [] };
  const open = [root];
  for (const line of text.split('\n').map((each) => each.trim())) {
    const parent = open.at(-1) as Block;
    if (line.startsWith('<')) {
      const block: Block = { tokens: tokensOf(line.slice(1)), lines: {}, blocks: [] };
      parent.blocks.push(block);
      open.push(block);
    } else if (line === '>') open.pop();
    else if (line !== '') {
      const [name = '', ...values] = tokensOf(line);
      parent.lines[name] = values;
    }
  }
  if (open.length !== 1 || root.blocks.length !== 1) throw new Error('not one whole block');
  return root.blocks[0] as Block;
}

/** A sound in a song as a DAW places it. Times are in seconds. */
export interface Placed {
  name: string;
  file: string;
  colour: number;
  gain: number;
  /** From -1 to 1. */
  pan: number;
  isMuted: boolean;
  semitones: number;
  items: { at: number; length: number; rate: number }[];
}

export interface ReadSong {
  tempo: number;
  timeSignature: string;
  tracks: Placed[];
}

const numberOf = (element: Element, name: string) => {
  const value = Number(element.attributes[name]);
  if (!Number.isFinite(value)) throw new Error(`${element.name} has no ${name}`);
  return value;
};

/** Places the clips of a DAWproject as its reference describes: https://github.com/bitwig/dawproject */
export function placedInDawProject(xml: string): ReadSong {
  const project = readXml(xml);
  const tempo = numberOf(oneOf(project, 'Tempo'), 'value');
  const signature = oneOf(project, 'TimeSignature');
  const ids = new Set(allOf(project, 'Channel').map(({ attributes }) => attributes.id));
  const lanes = allOf(oneOf(project, 'Arrangement'), 'Lanes').filter(({ attributes }) => attributes.track);
  const tracks = lanes.map((lane) => {
    const track = allOf(project, 'Track').find(({ attributes }) => attributes.id === lane.attributes.track);
    if (!track || !ids.has(oneOf(track, 'Channel').attributes.destination))
      throw new Error('a lane leads nowhere');
    const clips = allOf(lane, 'Clip');
    const shifts = new Set(clips.map((clip) => allOf(clip, 'RealPoint')[0]?.attributes.value ?? '0'));
    return {
      name: track.attributes.name ?? '',
      file: oneOf(oneOf(clips[0] as Element, 'Audio'), 'File').attributes.path ?? '',
      colour: Number.parseInt(track.attributes.color?.slice(1) ?? '', 16),
      gain: numberOf(oneOf(track, 'Volume'), 'value'),
      pan: numberOf(oneOf(track, 'Pan'), 'value') * 2 - 1,
      isMuted: oneOf(track, 'Mute').attributes.value === 'true',
      semitones: Number([...shifts].join()),
      items: clips.map((clip) => {
        const length = (numberOf(clip, 'duration') * 60) / tempo;
        const [from, to] = allOf(clip, 'Warp');
        if (!from || !to) {
          expectSame(numberOf(clip, 'playStop') - numberOf(clip, 'playStart'), length);
          return { at: (numberOf(clip, 'time') * 60) / tempo, length, rate: 1 };
        }
        const beats = numberOf(to, 'time') - numberOf(from, 'time');
        const seconds = numberOf(to, 'contentTime') - numberOf(from, 'contentTime');
        expectSame(seconds, numberOf(oneOf(clip, 'Audio'), 'duration'));
        return { at: (numberOf(clip, 'time') * 60) / tempo, length, rate: seconds / ((beats * 60) / tempo) };
      }),
    };
  });
  return {
    tempo,
    timeSignature: `${signature.attributes.numerator}/${signature.attributes.denominator}`,
    tracks,
  };
}

function expectSame(a: number, b: number): void {
  if (Math.abs(a - b) > 1e-6) throw new Error(`${a} is not ${b}`);
}

/** Places the items of a REAPER project: https://github.com/ReaTeam/Doc/blob/master/State%20Chunk%20Definitions */
export function placedInReaper(text: string): ReadSong {
  const project = readRpp(text);
  const valuesOf = (block: Block, name: string) => (block.lines[name] ?? []).map(Number);
  const [tempo = 0, numerator, denominator] = valuesOf(project, 'TEMPO');
  const tracks = project.blocks.map((track) => {
    const [gain = 0, pan = 0] = valuesOf(track, 'VOLPAN');
    const [peak = 0] = valuesOf(track, 'PEAKCOL');
    const sources = new Set(track.blocks.map((item) => item.blocks[0]?.lines.FILE?.[0] ?? ''));
    return {
      name: track.lines.NAME?.[0] ?? '',
      file: [...sources].join(),
      colour: ((peak & 0xff) << 16) | (peak & 0xff00) | ((peak >> 16) & 0xff),
      gain,
      pan,
      isMuted: valuesOf(track, 'MUTESOLO')[0] === 1,
      semitones: Number([...new Set(track.blocks.map((item) => valuesOf(item, 'PLAYRATE')[2]))].join()),
      items: track.blocks.map((item) => {
        const [rate = 0, keepsPitch] = valuesOf(item, 'PLAYRATE');
        if (item.tokens[0] !== 'ITEM' || keepsPitch !== 1) throw new Error('an item changes its pitch');
        return { at: valuesOf(item, 'POSITION')[0] ?? 0, length: valuesOf(item, 'LENGTH')[0] ?? 0, rate };
      }),
    };
  });
  return { tempo, timeSignature: `${numerator}/${denominator}`, tracks };
}
