import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Injectable } from '@nestjs/common';
import type {
  PageAt,
  PageSummary,
  PagesModule,
  PaintedPage,
  PaintModule,
} from '../../../application/pages/contract.js';

type PaintSettings = Pick<Parameters<PaintModule['paint']>[0], 'playlistUrl' | 'mediaBaseUrl'>;

/** The parts of the built client that the server needs. Without a build the server offers the API only. */
@Injectable()
export class ClientBuild {
  private folder: string | undefined;
  private settings: PaintSettings = {};
  private known: PagesModule | undefined;
  private painter: Promise<PaintModule> | undefined;
  /** The files of each screen by the screen's name, without files that every page loads. */
  screens: Readonly<Record<string, readonly string[]>> = {};

  /** @param folder contains the built client; the folder beside it, `…-server`, contains the build for the server */
  async open(folder: string, { playlistUrl, mediaBaseUrl }: PaintSettings): Promise<void> {
    this.folder = folder;
    this.settings = { playlistUrl, mediaBaseUrl };
    this.known = (await this.module('pages-for-server')) as PagesModule;
    // A build by an earlier version has no `screens.json`.
    const list = await readFile(join(folder, 'screens.json'), 'utf8').catch(() => '{}');
    this.screens = JSON.parse(list) as typeof this.screens;
  }

  pathsFor(crawlers: PageSummary['crawlers']): string[] {
    const pages = this.known?.summaries.filter((page) => page.crawlers === crawlers) ?? [];
    return pages.map(({ path }) => path);
  }

  pathOf(name: string, params: Readonly<Record<string, string>>): string {
    const path = this.known?.summaries.find((page) => page.name === name)?.path ?? `/${name}`;
    return path.replace(/:(\w+)\??/g, (_, part: string) => encodeURIComponent(params[part] ?? ''));
  }

  pageAt(path: string, search: URLSearchParams): PageAt {
    if (!this.known) throw new Error('the client has not been built');
    return this.known.pageAt(path, search);
  }

  /** Returns undefined if the build has no renderer. @param answer the API's answer to the page's query */
  async paint(address: string, answer: unknown): Promise<PaintedPage | undefined> {
    if (!existsSync(this.file('server-rendering'))) return undefined;
    this.painter ??= this.module('server-rendering') as Promise<PaintModule>;
    const { paint } = await this.painter;
    return paint({ address, answer, ...this.settings });
  }

  private readonly file = (name: string): string => join(`${this.folder}-server`, `${name}.mjs`);
  private readonly module = (name: string): Promise<unknown> => import(pathToFileURL(this.file(name)).href);
}
