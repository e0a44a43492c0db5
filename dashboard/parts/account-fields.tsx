import type { AccountField } from '../../src/accounts/sync-source.ts';

/** A problem, and the name of the field that it belongs to. */
export interface FieldProblem {
  readonly field?: string | undefined;
  readonly text: string;
}

interface AccountFieldsProps {
  readonly fields: readonly AccountField[];
  readonly values: Readonly<Record<string, string>>;
  readonly problem: FieldProblem | undefined;
}

const MAX_CHARACTERS = 2_000;
const YES_OR_NO = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

/** Form fields for the settings of an account. Optional fields without a value are collapsed. */
export function AccountFields({ fields, values, problem }: AccountFieldsProps) {
  const isMain = ({ name, isRequired, type }: AccountField) =>
    isRequired ||
    type === 'secret' ||
    type === 'url' ||
    type === 'flag' ||
    name === 'server' ||
    (values[name] ?? '') !== '' ||
    problem?.field === name;
  const more = fields.filter((field) => !isMain(field));
  const show = (field: AccountField) => (
    <Field
      field={field}
      value={values[field.name] ?? ''}
      problem={problem?.field === field.name ? problem.text : undefined}
    />
  );
  return (
    <>
      {fields.filter(isMain).map(show)}
      {more.length > 0 && (
        <details class="more">
          <summary>More settings</summary>
          {more.map(show)}
        </details>
      )}
    </>
  );
}

interface FieldProps {
  readonly field: AccountField;
  readonly value: string;
  readonly problem: string | undefined;
}

function Field({ field, value, problem }: FieldProps) {
  const id = `setting-${field.name}`;
  const described = [problem && `${id}-problem`, field.hint && `${id}-hint`].filter(Boolean).join(' ');
  const attributes: ControlAttributes = {
    id,
    name: field.name,
    required: field.isRequired,
    autofocus: problem !== undefined,
    'aria-invalid': problem === undefined ? undefined : 'true',
    'aria-describedby': described === '' ? undefined : described,
  };
  const message = problem !== undefined && (
    <p class="notice bad" role="alert" id={`${id}-problem`}>
      {problem}
    </p>
  );
  const hint = field.hint !== undefined && (
    <p class="hint" id={`${id}-hint`}>
      {field.hint}
    </p>
  );
  if (field.type === 'flag')
    return (
      <div class="choices">
        {message}
        <label>
          <input type="checkbox" value="yes" checked={value === 'yes'} {...attributes} />
          <span>{field.label}</span>
        </label>
        {hint}
      </div>
    );
  return (
    <div class="field">
      <label for={id}>
        {field.label}
        {!field.isRequired && field.type !== 'secret' && <span class="muted"> (optional)</span>}
      </label>
      {message}
      <Control field={field} value={value} attributes={attributes} />
      {hint}
    </div>
  );
}

interface ControlAttributes {
  readonly id: string;
  readonly name: string;
  readonly required: boolean;
  readonly autofocus: boolean;
  readonly 'aria-invalid': 'true' | undefined;
  readonly 'aria-describedby': string | undefined;
}

function Control(props: { field: AccountField; value: string; attributes: ControlAttributes }) {
  const { field, value, attributes } = props;
  switch (field.type) {
    case 'secret':
      // Never filled: a password is not sent back to the browser.
      return <input type="password" autocomplete="new-password" maxlength={1_000} {...attributes} />;
    case 'boolean':
    case 'choice':
      return (
        <select {...attributes}>
          {!field.isRequired && <option value="">Default</option>}
          {(field.choices ?? YES_OR_NO).map((choice) => (
            <option value={choice.value} selected={choice.value === value}>
              {choice.label}
            </option>
          ))}
        </select>
      );
    case 'list':
      return (
        <textarea rows={3} spellcheck={false} {...attributes}>
          {value}
        </textarea>
      );
    default:
      return (
        <input
          type="text"
          inputmode={field.type === 'number' ? 'numeric' : field.type === 'url' ? 'url' : undefined}
          value={value}
          maxlength={MAX_CHARACTERS}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          {...attributes}
        />
      );
  }
}
