/** The fictitious creators of the demo packs. Packs name their creator by `key`. */
export const CREATORS: readonly { key: string; displayName: string }[] = [
  { key: 'low-ceiling', displayName: 'Low Ceiling' },
  { key: 'junie-okafor', displayName: 'Junie Okafor' },
  { key: 'tres-patios', displayName: 'Tres Patios' },
  { key: 'foundry-row', displayName: 'Foundry Row' },
  { key: 'halvard-sund', displayName: 'Halvard Sund' },
  { key: 'mbali-nkosi', displayName: 'Mbali Nkosi' },
  { key: 'ines-calderon', displayName: 'Ines Calderon' },
  { key: 'big-formica', displayName: 'Big Formica' },
  { key: 'rook-daughters', displayName: 'Rook & Daughters' },
  { key: 'ada-prewitt', displayName: 'Ada Prewitt' },
  { key: 'wren-abbott', displayName: 'Wren Abbott' },
  { key: 'kessler-bros', displayName: 'Kessler Bros' },
];
