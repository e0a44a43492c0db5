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
        <span class="wide-only">
          Services must give you your own data. This is where each of them hides it, and how long you wait.
        </span>{' '}
        Bring the file as it comes: nothing has to be unpacked or renamed.
      </p>
      <div class="card formats">
        {formats.map(({ format, title, steps, waiting, choose }) => (
          <details class="more" id={format}>
            <summary>
              <h2>{title}</h2>
              <span class="end wide-only">{waiting}</span>
            </summary>
            <p class="muted">Waiting time: {waiting}</p>
            <ol>
              {steps.map((step) => (
                <li>{step}</li>
              ))}
            </ol>
            {choose !== undefined && <p>{choose}</p>}
          </details>
        ))}
      </div>
      <h2>Have the file?</h2>
      <DropArea csrf={frame.csrf} withGuide={false} />
    </Page>
  );
}
