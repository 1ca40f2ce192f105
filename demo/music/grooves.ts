import { DRUMS, type Drum } from '../synth/drums.js';
import type { Note } from './midi.js';
import { stepBeat, type Session } from './session.js';

/**
 * The strokes of each drum. A character is a sixteenth note; `|` separates bars. X: accent; x: normal; o: soft; g: very
 * soft; r: two strokes; t: three strokes; ~: one stroke with a probability of one half; `.`: silent.
 */
type Lines = Partial<Record<Drum, string>>;

const GROOVES = {
  boombap: {
    kickDusty: 'X.....x...x.....|X.....x..xX...g.',
    snareDusty: '....X..g.g..X..g|....X..g.g..X.gg',
    hatClosed: 'x.o.x.o.x.o.x.ox|x.o.x.o.x.o.xo..',
    hatOpen: '................|..............x.',
  },
  dusty: {
    kickDusty: 'X..x......x..x..|X..x...x..x.....',
    snareCrack: '....X.......X...|....X..g....X..~',
    hatClosed: 'x.x.xox.x.x.x.xo|x.x.xox.x.xox.x.',
  },
  brush: {
    brushSweep: 'x.......x.......|x.......x.......',
    brushTap: '....x.g...g.x..g|....x..g..g.x.gg',
    kickSoft: 'x.........x.....|x......o..x.....',
    ride: 'o...o..oo...o..o|o...o..oo...o..o',
  },
  live: {
    kickTight: 'X..x..x...x..x..|X..x..x....x....',
    snareCrack: '....X..g.g.gX..g|....X..g.g.gX.gX',
    hatClosed: 'XoxoXoxoXoxoXo..|XoxoXoxoXoxoXoxo',
    hatOpen: '..............x.|................',
  },
  lofi: {
    kickSoft: 'X......x.x......|X......x.x....o.',
    snareDusty: '....x.......x...|....x.......x..g',
    hatClosed: 'x.o.x.o.x.o.x.oo|x.o.xoo.x.o.x.o.',
  },
  trap: {
    kickHard: 'X.....x...x..x..|X......x..x.....',
    clap: '........X.......|........X.......',
    snareTight: '........x.......|........x.....g.',
    hatTight: 'x.x.x.x.x.xtx.xr|x.x.xrx.x.x.xtrx',
    hatOpen: '..............o.|................',
  },
  trapHats: { hatTight: 'x.xox.xtx.x.xrrx|x.xtx.x.xrxox.tt', hatOpen: '......o.........|..........o.....' },
  drill: {
    kickHard: 'X.....x....x....|X..x......x...x.',
    snareTight: '......X.......X.|......X....x..X.',
    hatTight: 'x..x..x.x..x.tx.|x..x..x.x.tx..x.',
    rim: '................|.............~..',
  },
  pop: {
    kickTight: 'X...X...X...X...|X...X...X...X..o',
    clap: '....X.......X...|....X.......X...',
    hatOpen: '..x...x...x...x.|..x...x...x...x.',
    hatClosed: 'o..oo..oo..oo..o|o..oo..oo..oo.oo',
    tambourine: '....o.......o...|....o.......o..o',
  },
  rnb: {
    kickSoft: 'X..x......x.....|X..x...x..x.....',
    rim: '....x.......x...|....x.......x..o',
    clap: '............o...|............o...',
    hatTight: 'xoxoxorxoxoxoxot|xoxoxoxorxoxoxoo',
  },
  dembow: {
    kickTight: 'X...X...X...X...|X...X...X...X...',
    snareTight: '...x..x....x..x.|...x..x....x..xo',
    shaker: 'xoxoxoxoxoxoxoxo|xoxoxoxoxoxoxoxo',
    clave: '................|..............o.',
  },
  bossa: {
    kickSoft: 'x..xx..xx..xx..x|x..xx..xx..xx..x',
    rim: 'x..x..x...x..x..|..x..x..x..x..x.',
    shaker: 'xooxxooxxooxxoox|xooxxooxxooxxoox',
  },
  conga: {
    congaHigh: 'x..o.o..x..o....|x..o.o..x..o..o.',
    congaLow: '......xx......xX|......xx....x.xX',
    congaSlap: '..x.....~.x.....|..x.......x.....',
    clave: 'x..x..x...x.x...|x..x..x...x.x...',
    cowbell: 'o...o...o...o...|o...o...o...o...',
  },
  tambourine: { tambourine: 'xoooXooxxoooXoox|xoooXooxxoooXxox', clap: '....X.......X...|....X.......X...' },
  shakers: { shaker: 'XoxoXoxoXoxoXoxo|XoxoXoxoXoxoXoxx', block: '......o.........|..........o..o..' },
  stairs: {
    kickDusty: 'X.......x.x.....|X..x....x.....o.',
    snareCrack: '....X.......X..g|....X.....g.X...',
    ride: 'x.o.x.o.x.o.x.o.|x.o.x.o.x.o.x.o.',
    crash: 'o...............|................',
  },
  broken: {
    kickHard: 'X..r..~.x.....~.|.x.~..X...t..x..',
    snareTight: '....~.X..g...~..|..~...X.r.....~g',
    hatTight: 'x~t.~x~.xr.~x.t~|~xx.t~.xr~.x~xt.',
    block: '..~...~..x..~...|.~..x....~..~.x.',
    cowbell: '.........~......|...~............',
  },
  march: {
    tomLow: 'X.....x.X.......|X.....x.X...x.x.',
    tomHigh: '..........xx....|..........x.x...',
    snareDusty: '....x.gg....x.gg|....x.gg....xrtX',
    clap: '....o.......o...|....o.......o...',
  },
} satisfies Record<string, Lines>;
export type GrooveName = keyof typeof GROOVES;

const STRENGTH: Record<string, number> = { X: 1, x: 0.78, o: 0.5, g: 0.26, r: 0.66, t: 0.6, '~': 0.55 };

export type DrumNote = Note & { drum: Drum };

/** @param without drums to leave out, for example the kick */
export function playGroove(name: GrooveName, session: Session, without: readonly Drum[] = []): DrumNote[] {
  const notes: DrumNote[] = [];
  for (const [drum, line] of Object.entries(GROOVES[name]) as Array<[Drum, string]>) {
    if (without.includes(drum)) continue;
    const lines = line.split('|');
    for (let bar = 0; bar < session.bars; bar++)
      [...(lines[bar % lines.length] as string)].forEach((mark, step) => {
        const strength = STRENGTH[mark];
        if (!strength || (mark === '~' && session.random() < 0.5)) return;
        const times = mark === 'r' ? 2 : mark === 't' ? 3 : 1;
        for (let i = 0; i < times; i++)
          notes.push({
            drum,
            midi: DRUMS[drum].midi,
            beat: stepBeat(session, bar, step) + (i * 0.25) / times,
            beats: 0.25 / times,
            velocity: strength * (1 - i * 0.12),
          });
      });
  }
  return notes.sort((a, b) => a.beat - b.beat);
}
