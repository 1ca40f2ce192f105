/** The people behind the demo packs. All are fictitious. */
export interface DemoCreator {
  /** The creator's key in the catalogue, which also seeds the account's id. */
  key: string;
  displayName: string;
  bio: string;
}

export const CREATORS: readonly DemoCreator[] = [
  {
    key: 'low-ceiling',
    displayName: 'Low Ceiling',
    bio: 'Drums in stairwells, mostly at night. The neighbours have been asked.',
  },
  {
    key: 'junie-okafor',
    displayName: 'Junie Okafor',
    bio: 'Keys and a cassette machine in Peckham. Everything is a little late, on purpose.',
  },
  {
    key: 'tres-patios',
    displayName: 'Tres Patios',
    bio: 'Three courtyards, two guitars, one conga player who is always early.',
  },
  {
    key: 'foundry-row',
    displayName: 'Foundry Row',
    bio: 'Contact microphones on things that were not built to be heard.',
  },
  {
    key: 'halvard-sund',
    displayName: 'Halvard Sund',
    bio: 'Records weather on the west coast of Norway and plays slowly underneath it.',
  },
  {
    key: 'mbali-nkosi',
    displayName: 'Mbali Nkosi',
    bio: 'Pop with the sugar measured. Writes on a bus, finishes in a kitchen.',
  },
  {
    key: 'ines-calderon',
    displayName: 'Ines Calderon',
    bio: 'Slow chords, close voices, and a pad that took four years to get right.',
  },
  {
    key: 'big-formica',
    displayName: 'Big Formica',
    bio: 'Basement tapes from a basement that floods. Gear dries by Thursday.',
  },
  {
    key: 'rook-daughters',
    displayName: 'Rook & Daughters',
    bio: 'A family record shop that samples its own unsold stock.',
  },
  {
    key: 'ada-prewitt',
    displayName: 'Ada Prewitt',
    bio: 'Horn parts, written on Saturday and played on Sunday.',
  },
  {
    key: 'wren-abbott',
    displayName: 'Wren Abbott',
    bio: 'Small instruments, recorded near. You will hear the chair.',
  },
  {
    key: 'kessler-bros',
    displayName: 'Kessler Bros',
    bio: 'Two brothers, one 808, no agreement on who owns it.',
  },
];
