import type { Format } from '../import-routes.tsx';
import { DropArea } from '../parts/drop-area.tsx';
import type { Frame } from '../parts/frame.ts';
import { Page } from '../parts/layout.tsx';

/** Per format: what to click, how long it takes, what to choose. */
export function FormatsPage({ formats, frame }: { formats: readonly Format[]; frame: Frame }) {
  return (
    <Page title="How to get an export" here="data" {...frame}>
      <p class="small">
        <a href="/dashboard/data">Data</a>
      </p>
      <h1>How to get an export</h1>
      <p class="lead">
        Services must give you your own data. This is where each of them hides it. Bring the file as it comes:
        nothing has to be unpacked or renamed.
      </p>
      {formats.map(({ format, title, steps, waiting, choose }) => (
        <details class="card" id={format}>
          <summary>
            <h2>{title}</h2>
            <span class="end muted">{waiting}</span>
          </summary>
          <ol>
            {steps.map((step) => (
              <li>{step}</li>
            ))}
          </ol>
          {choose !== undefined && <p>{choose}</p>}
        </details>
      ))}
      <h2>Have the file?</h2>
      <DropArea csrf={frame.csrf} />
    </Page>
  );
}
