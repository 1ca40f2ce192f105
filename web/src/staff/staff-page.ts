import type { ComponentType } from 'react';
import { lazyWithPreload } from '../shell/lazy-with-preload.js';

/** A page of a section in a file of its own, by the name of its component, because no user opens all of them. */
export const staffPage = <Name extends string>(
  name: Name,
  load: () => Promise<Record<Name, ComponentType>>,
) => lazyWithPreload(() => load().then((module) => module && { default: module[name] }));
