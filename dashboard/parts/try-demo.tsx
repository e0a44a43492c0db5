import { Copy } from './layout.tsx';

/** The second way in, for who has no export at hand. */
export function TryDemo({ demo = 'pdpp demo' }: { demo: string | undefined }) {
  return (
    <section class="card">
      <h2>No export at hand?</h2>
      <p>Look around first with a year of an invented person. One step takes it out again.</p>
      <Copy text={demo} />
    </section>
  );
}
