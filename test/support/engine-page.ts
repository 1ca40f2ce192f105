import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { build, preview } from 'vite';

/** Builds the workbench's audio engine alone, and serves it as `/engine.js`. */
export async function serveEngine(): Promise<{ url: string; close: () => Promise<void> }> {
  const outDir = mkdtempSync(join(tmpdir(), 'offcut-engine-'));
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      outDir,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: resolve('web/src/workbench/engine/engine.ts'),
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: 'engine.js' },
      },
    },
  });
  const server = await preview({
    configFile: false,
    build: { outDir },
    preview: { port: 0, host: '127.0.0.1' },
  });
  const close = async () => {
    await server.close();
    rmSync(outDir, { recursive: true, force: true });
  };
  return { url: `${server.resolvedUrls?.local[0]}engine.js`, close };
}

/** The engine in its page. Types of the client need its own compiler settings. */
export interface PageEngine {
  setSong(song: { tempo: number; beatsPerBar: number; bars: number }): void;
  setLanes(lanes: object[]): void;
  play(fromBeat?: number): void;
  pause(): void;
  getState(): { lanes: Record<string, { status: string }> };
  subscribe(listener: () => void): () => void;
}
declare const engine: PageEngine;

export interface PageLane {
  id: string;
  wav: Buffer;
  cycleBeats: number | null;
  rate?: number;
  semitones?: number;
  isPercussive?: boolean;
  offsetBeats?: number;
  gainDb?: number;
  pan?: number;
}

/** Opens a page with an engine, as the global `engine`. */
export async function openEngine(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.evaluate(async (url) => {
    const { Engine } = (await import(url)) as { Engine: new () => PageEngine };
    Object.assign(globalThis, { engine: new Engine() });
  }, url);
}

const DEFAULTS = {
  seconds: null,
  rate: 1,
  semitones: 0,
  isPercussive: false,
  offsetBeats: 0,
  gainDb: 0,
  pan: 0,
  isSilent: false,
};

/** Replaces the lanes by files, and waits until all are ready. @returns the milliseconds that this takes */
export const setLanes = (page: Page, lanes: PageLane[]): Promise<number> =>
  page.evaluate(
    async (lanes) => {
      const startedAt = performance.now();
      engine.setLanes(
        lanes.map(({ base64, ...lane }) => {
          const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
          return { ...lane, source: { file: new File([bytes], `${lane.id}.wav`) } };
        }),
      );
      await new Promise<void>((resolve) => {
        const check = () => {
          if (Object.values(engine.getState().lanes).some(({ status }) => status !== 'ready')) return;
          leave();
          resolve();
        };
        const leave = engine.subscribe(check);
        check();
      });
      return performance.now() - startedAt;
    },
    lanes.map(({ wav, ...lane }) => ({ ...DEFAULTS, ...lane, base64: wav.toString('base64') })),
  );
