import type { Collection } from './collection.ts';
import { loadDemoCollection } from './demo-collection.ts';
import { loadLifeCollection } from './life-collection.ts';
import { findSharedCollections, loadSharedCollection } from './shared-collections.ts';

/** Every collection there is: the public ones that lie beside the project, and our own two. */
export function listCollections(now: Date): { name: string; load: () => Collection }[] {
  return [
    ...findSharedCollections().map((name) => ({ name, load: () => loadSharedCollection(name, now) })),
    { name: 'demo', load: () => loadDemoCollection(now) },
    { name: 'life', load: () => loadLifeCollection(now) },
  ];
}
