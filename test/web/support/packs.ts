import type { OwnPack, OwnSample } from '../../../application/publishing/contract.js';

/** Returns the creator's own sample as the server answers it. */
export function ownSample(id: string, more: Partial<OwnSample> = {}): OwnSample {
  return {
    id,
    ordinal: 1,
    name: `Sound ${id}`,
    filename: `${id}.wav`,
    format: 'wav',
    sampleRateHz: 48_000,
    bitDepth: 24,
    sizeBytes: 4_900_000,
    sha256: 'a'.repeat(64),
    durationMs: 17_000,
    bpm: 88,
    key: 'F Minor',
    instruments: ['Bass'],
    creditCost: 1,
    isRoyaltyFree: true,
    hasStems: false,
    kind: null,
    origin: 'recorded',
    hasMidi: false,
    previewUrl: `/media/previews/${id}.mp3`,
    previewStartMs: 0,
    waveform: Array.from({ length: 50 }, () => 50),
    loudnessLufs: -14,
    suggestions: { tempo: { bpm: 92, confidence: 0.9 }, key: { key: 'Ab Major', confidence: 0.7 } },
    downloads: 0,
    plays: 0,
    status: 'free',
    statusReason: null,
    saved: false,
    ...more,
  };
}

/** Returns the creator's own draft as the server answers it. */
export function ownPack(more: Partial<OwnPack> = {}): OwnPack {
  const samples = more.samples ?? [ownSample('a'), ownSample('b'), ownSample('c')];
  return {
    id: 'pack-1',
    title: 'Second Helping',
    slug: 'second-helping',
    creatorHandle: 'Junie_Okafor',
    genre: 'Soul',
    mood: 'Nostalgic',
    description: 'More of the kitchen.',
    status: 'draft',
    takedownReason: null,
    artworkUrl: null,
    hasOwnCover: true,
    defaultCreditCost: 1,
    priceCredits: null,
    sampleCount: samples.length,
    downloads: 0,
    createdAt: '2025-11-03T10:00:00Z',
    publishedAt: null,
    releaseAt: null,
    version: 7,
    ...more,
    samples,
  };
}
