import { CsrfField } from './layout.tsx';
import { NEW_ACCOUNT } from './links.ts';

/** Upload form. With script, files can be dropped on the page. */
export function DropArea(props: { csrf: string; withGuide?: boolean; hasAccounts?: boolean | undefined }) {
  const { csrf, withGuide = true, hasAccounts = false } = props;
  return (
    <form class="drop" method="post" action="/dashboard/imports" enctype="multipart/form-data" data-drop>
      {/* First, so that the server checks the form before it stores any byte. */}
      <CsrfField csrf={csrf} />
      <p class="drop-title">
        <span class="needs-script">Drop your exports here</span>
        <span class="scriptless">Choose your exports</span>
      </p>
      <p class={withGuide ? 'muted' : 'muted wide-only'}>
        Upload exports such as a ChatGPT or Google Takeout zip, a bank CSV, an mbox or a calendar. You can
        review them before they are imported.
      </p>
      <div class="row">
        <label class="button" for="file">
          <span class="needs-script">Choose files</span>
          <span class="scriptless">Files</span>
          <input id="file" type="file" name="file" multiple required />
        </label>
        {/* Browsers send the files of a folder with their paths only through the script. */}
        <label class="button needs-script" for="folder">
          Choose a folder
          <input id="folder" type="file" webkitdirectory multiple />
        </label>
        <button class="primary scriptless" type="submit">
          Upload
        </button>
        {withGuide && <a href="/dashboard/data/formats">How to get an export</a>}
        {withGuide && hasAccounts && <a href={NEW_ACCOUNT}>Add an account that stays up to date</a>}
      </div>
      <div class="drop-progress" hidden data-drop-progress>
        <progress max="100" value="0" aria-label="Upload" />
        <p class="small muted" data-drop-text />
        <button class="quiet" type="button" data-drop-cancel>
          Cancel
        </button>
      </div>
      <p class="notice bad" role="alert" hidden data-drop-problem />
    </form>
  );
}
