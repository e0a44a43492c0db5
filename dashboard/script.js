// Makes pages quicker to use. Every page works without it.

const LIVE_MS = 2_000;
const LIVE_AFTER_FAILURE_MS = 15_000;
const COPIED_MS = 2_000;
const DEEP_LINK_MS = 1_500;

document.documentElement.classList.add('scripted');

/* Has a screen reader announce a text. */
function announce(text) {
  const status = document.getElementById('announcement');
  if (status) status.textContent = text;
}

/* data-copy="text": a button that copies. The clipboard API needs https or localhost; elsewhere execCommand copies. */

document.addEventListener('click', async (event) => {
  const button = event.target.closest('[data-copy]');
  if (!button) return;
  const copied = await copyText(button.dataset.copy, button.parentElement?.querySelector('code'));
  const label = button.dataset.label ?? button.textContent;
  button.dataset.label = label;
  button.textContent = copied ? 'Copied' : 'Press Ctrl+C';
  announce(copied ? 'Copied' : 'Selected. Press Control C to copy.');
  setTimeout(() => {
    button.textContent = label;
  }, COPIED_MS);
});

async function copyText(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (!shown) return false;
    getSelection()?.selectAllChildren(shown);
    return document.execCommand('copy');
  }
}

/* data-show="id id": a button that shows the text in password fields. Submitting the form hides it again. */

for (const button of document.querySelectorAll('[data-show]')) {
  const fields = button.dataset.show.split(' ').map((id) => document.getElementById(id));
  const show = (isShown) => {
    for (const field of fields) field.type = isShown ? 'text' : 'password';
    button.setAttribute('aria-pressed', String(isShown));
  };
  button.addEventListener('click', () => show(button.getAttribute('aria-pressed') === 'false'));
  button.form.addEventListener('submit', () => show(false));
}

/* data-tabs="name": a .tab-list of links to sections. One section at a time; the last choice is remembered. */

function setUpTabs(root) {
  const list = root.querySelector('.tab-list');
  const tabs = [...list.querySelectorAll('a')];
  const panelOf = (tab) => document.getElementById(tab.hash.slice(1));
  const select = (tab, focus) => {
    for (const other of tabs) {
      const chosen = other === tab;
      other.setAttribute('aria-selected', String(chosen));
      other.tabIndex = chosen ? 0 : -1;
      panelOf(other).hidden = !chosen;
    }
    remember(root.dataset.tabs, tab.hash);
    if (focus) tab.focus();
  };
  list.setAttribute('role', 'tablist');
  for (const tab of tabs) {
    const panel = panelOf(tab);
    tab.id ||= `tab-${panel.id}`;
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', panel.id);
    tab.parentElement.setAttribute('role', 'presentation');
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
  }
  list.addEventListener('click', (event) => {
    const tab = event.target.closest('a');
    if (!tab) return;
    event.preventDefault();
    select(tab, true);
  });
  list.addEventListener('keydown', (event) => {
    const at = tabs.indexOf(document.activeElement);
    const to = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: tabs.length - 1,
      ' ': at,
    }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    select(tabs.at(to % tabs.length), true);
  });
  const find = (hash) => tabs.find((tab) => tab.hash === hash);
  addEventListener('hashchange', () => find(location.hash) && select(find(location.hash), false));
  select(find(location.hash) ?? find(recall(root.dataset.tabs)) ?? tabs[0], false);
}

function remember(name, value) {
  try {
    localStorage.setItem(`tabs:${name}`, value);
  } catch {
    // Storage may be forbidden; then the first tab is shown next time.
  }
}

function recall(name) {
  try {
    return localStorage.getItem(`tabs:${name}`);
  } catch {
    return undefined;
  }
}

for (const root of document.querySelectorAll('[data-tabs]')) setUpTabs(root);

/* data-live="/page" and an id: the element is updated from that page while the tab is visible. */

async function refresh(path) {
  const response = await fetch(path, { headers: { accept: 'text/html' } });
  // Signed out: the sign-in page has no such element, so updates end.
  if (response.redirected || response.status === 401) return 'ended';
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const old of document.querySelectorAll(`[data-live="${CSS.escape(path)}"]`)) {
    const now = fresh.getElementById(old.id);
    const inUse = old.contains(document.activeElement) || old.contains(getSelection()?.anchorNode ?? null);
    if (now && !inUse && now.innerHTML !== old.innerHTML) old.replaceChildren(...now.childNodes);
  }
  return 'active';
}

async function keepLive(path) {
  let wait = LIVE_MS;
  if (document.visibilityState === 'visible') {
    try {
      if ((await refresh(path)) === 'ended') return;
    } catch {
      wait = LIVE_AFTER_FAILURE_MS;
    }
  }
  setTimeout(keepLive, wait, path);
}

const livePaths = new Set([...document.querySelectorAll('[data-live]')].map((one) => one.dataset.live));
for (const path of livePaths) setTimeout(keepLive, LIVE_MS, path);

/* data-toggle-all="group": a check box for all boxes with data-in="group" in the same form. */

function showToggle(toggle) {
  const members = membersOf(toggle);
  const ticked = members.filter((one) => one.checked).length;
  toggle.checked = ticked > 0 && ticked === members.length;
  toggle.indeterminate = ticked > 0 && ticked < members.length;
}

function membersOf(toggle) {
  const group = CSS.escape(toggle.dataset.toggleAll);
  return [...(toggle.form ?? document).querySelectorAll(`input[data-in="${group}"]`)];
}

document.addEventListener('change', (event) => {
  const box = event.target;
  if (box.dataset.toggleAll) for (const one of membersOf(box)) if (!one.disabled) one.checked = box.checked;
  for (const toggle of document.querySelectorAll('[data-toggle-all]')) showToggle(toggle);
});
for (const toggle of document.querySelectorAll('[data-toggle-all]')) showToggle(toggle);

/* form data-preview: after each change the server describes the choice in the elements with data-previewed. */

const PREVIEW_DELAY_MS = 150;

function setUpPreview(form) {
  let timer;
  let controller = new AbortController();
  const preview = async () => {
    controller.abort();
    controller = new AbortController();
    const { signal } = controller;
    const body = new URLSearchParams(new FormData(form));
    body.set('preset', 'preview');
    try {
      const response = await fetch(form.action, { method: 'POST', body, signal });
      if (!response.ok || new URL(response.url).pathname !== new URL(form.action).pathname) throw new Error();
      const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
      for (const old of form.querySelectorAll('[data-previewed]')) {
        const now = fresh.getElementById(old.id);
        if (now && now.innerHTML !== old.innerHTML) old.replaceChildren(...now.childNodes);
      }
    } catch {
      if (signal.aborted) return;
      const summary = document.getElementById(form.dataset.preview);
      if (summary) summary.textContent = 'Could not update. Reload the page before you approve.';
    }
  };
  form.addEventListener('change', () => {
    clearTimeout(timer);
    timer = setTimeout(preview, PREVIEW_DELAY_MS);
  });
}

for (const form of document.querySelectorAll('form[data-preview]')) setUpPreview(form);

/* data-browser-zone: a list of time zones in which the zone of this browser is selected. */

for (const select of document.querySelectorAll('select[data-browser-zone]')) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (timeZone && ![...select.options].some((one) => one.value === timeZone)) {
    select.add(new Option(timeZone.replaceAll('_', ' '), timeZone), 0);
  }
  if (timeZone) select.value = timeZone;
}

/* data-deep-link="id": a link that opens another program. If this page keeps the focus, that failed: open the instructions. */

document.addEventListener('click', (event) => {
  const link = event.target.closest('[data-deep-link]');
  if (!link) return;
  setTimeout(() => {
    const fold = document.getElementById(link.dataset.deepLink);
    if (!fold || !document.hasFocus()) return;
    fold.open = true;
    fold.scrollIntoView({ block: 'nearest' });
  }, DEEP_LINK_MS);
});

/* data-drop: a form for files that may be dropped anywhere on the page. Shows progress and reads folders. */

function setUpDrop(form) {
  const progress = form.querySelector('[data-drop-progress]');
  const problem = form.querySelector('[data-drop-problem]');
  const inputs = [...form.querySelectorAll('input[type=file]')];
  let request;
  const show = (text) => {
    form.querySelector('[data-drop-text]').textContent = text;
  };
  const fail = (text) => {
    progress.hidden = true;
    problem.hidden = false;
    problem.textContent = text;
    for (const input of inputs) input.value = '';
  };
  const send = (files) => {
    if (files.length === 0 || request) return;
    const body = new FormData();
    body.append('csrf', form.elements.csrf.value);
    for (const [file, path] of files) body.append('file', file, path);
    problem.hidden = true;
    progress.hidden = false;
    show('Uploading');
    request = new XMLHttpRequest();
    request.open('POST', form.action);
    request.setRequestHeader('accept', 'application/json');
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      const part = total === 0 ? 0 : Math.floor((loaded / total) * 100);
      progress.querySelector('progress').value = part;
      show(
        part === 100 ? 'Upload complete. Checking your files.' : `${part} % of ${Math.ceil(total / 1e6)} MB`,
      );
    });
    request.addEventListener('loadend', () => {
      const { status, responseURL, responseText } = request;
      request = undefined;
      // The server redirects to the page of the upload.
      if (status === 200) location.assign(responseURL);
      else fail(describeFailure(responseText));
    });
    request.send(body);
  };
  for (const input of inputs) {
    input.addEventListener('change', () =>
      send([...input.files].map((file) => [file, file.webkitRelativePath || file.name])),
    );
  }
  form.querySelector('[data-drop-cancel]').addEventListener('click', () => request?.abort());
  addEventListener('dragover', (event) => carriesFiles(event) && form.classList.add('over'));
  // Without a related target, the pointer left the window.
  addEventListener('dragleave', (event) => event.relatedTarget ?? form.classList.remove('over'));
  addEventListener('drop', async (event) => {
    form.classList.remove('over');
    if (!carriesFiles(event)) return;
    // Read all entries before the first await: the browser clears dropped items afterwards.
    const dropped = [...event.dataTransfer.items]
      .filter(({ kind }) => kind === 'file')
      .map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
    send((await Promise.all(dropped.map(listFiles))).flat());
  });
}

function carriesFiles({ dataTransfer }) {
  return dataTransfer?.types.includes('Files') ?? false;
}

/* Without this, a file dropped outside the form would replace the page. */
for (const kind of ['dragover', 'drop'])
  addEventListener(kind, (event) => carriesFiles(event) && event.preventDefault());

function describeFailure(text) {
  try {
    const { message, hint } = JSON.parse(text).error;
    return hint ? `${message} ${hint}` : message;
  } catch {
    return 'Upload failed. Try again.';
  }
}

/** Lists the files below an entry with their paths. Browsers return a folder in several parts. */
async function listFiles(entry) {
  // A file that was dragged from another page has no entry.
  if (entry instanceof File) return [[entry, entry.name]];
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [[file, entry.fullPath.slice(1)]];
  }
  const reader = entry.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return (await Promise.all(all.map(listFiles))).flat();
    all.push(...some);
  }
}

for (const form of document.querySelectorAll('[data-drop]')) setUpDrop(form);

/* form data-find: results open below the field while typing. Slash focuses the field; arrow keys move to a result. */

const FIND_DELAY_MS = 120;

function setUpFind(form) {
  const input = form.elements.q;
  const list = form.querySelector('.found');
  let timer;
  let controller = new AbortController();
  let listed;
  const close = () => {
    list.hidden = true;
  };
  const find = async () => {
    controller.abort();
    controller = new AbortController();
    const { signal } = controller;
    const { value } = input;
    if (value.trim() === '') return close();
    try {
      const response = await fetch(`${form.action}?${new URLSearchParams(new FormData(form))}`, { signal });
      const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
      const found = fresh.querySelector('main .found');
      if (!found) return close();
      list.replaceChildren(...found.childNodes);
      list.hidden = false;
      listed = value;
      announce(`${list.childElementCount} results`);
    } catch {
      // Submitting the form still opens the results page.
      if (!signal.aborted) close();
    }
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(find, FIND_DELAY_MS);
  });
  setUpFindKeys(form, input, list, close);
  form.addEventListener('submit', (event) => {
    const first = list.querySelector('a');
    // If the listed results are of an earlier text, Enter submits the form instead.
    if (list.hidden || !first || listed !== input.value) return;
    event.preventDefault();
    first.click();
  });
  addEventListener('click', (event) => form.contains(event.target) || close());
  form.addEventListener(
    'focusout',
    (event) => event.relatedTarget && !form.contains(event.relatedTarget) && close(),
  );
}

function setUpFindKeys(form, input, list, close) {
  form.addEventListener('keydown', (event) => {
    const stops = [input, ...list.querySelectorAll('a')];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') {
      close();
      input.focus();
    } else if (step && !list.hidden) {
      event.preventDefault();
      const to = stops.indexOf(document.activeElement) + step;
      stops.at(to % stops.length).focus();
    }
  });
  addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

for (const form of document.querySelectorAll('form[data-find]')) setUpFind(form);
