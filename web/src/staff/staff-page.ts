import { type ComponentType, lazy } from 'react';

/** A page of a section in a file of its own, by the name of its component: nobody opens all of them. */
export const staffPage = <Name extends string>(
  name: Name,
  load: () => Promise<Record<Name, ComponentType>>,
) => lazy(() => load().then((module) => ({ default: module[name] })));
