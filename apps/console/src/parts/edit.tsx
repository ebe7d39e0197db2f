import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../state/use-action.js';
import { TEXTS } from '../texts.js';
import { Curl } from './curl.js';
import { Dialog } from './dialog.js';
import { Form, valuesOf } from './fields.js';
import { FormButtons } from './form-buttons.js';
import { ProblemNote } from './problem-note.js';

interface EditProps<Thing, Body> {
  /** The words of the button, of the dialog, and of the button that does it. */
  readonly label: string;
  readonly about: string;
  readonly of: Thing;
  /** Below `/v1`. */
  readonly path: string;
  /** What is sent for these values, of the thing as it was when the form was opened. */
  readonly bodyOf: (values: Readonly<Record<string, string>>, of: Thing) => Body;
  readonly save: (body: Body) => Promise<unknown>;
  readonly onDone: () => void;
  /** The fields. */
  readonly children: (of: Thing) => ComponentChildren;
}

/** A button that changes members of a thing by a PATCH. */
export function Edit<Thing, Body>(props: EditProps<Thing, Body>) {
  const [isOpen, setOpen] = useState(false);
  const { label, onDone } = props;
  const done = () => {
    setOpen(false);
    onDone();
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={label} onClose={() => setOpen(false)}>
          <EditForm {...props} onDone={done} onClose={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

function EditForm<Thing, Body>(props: EditProps<Thing, Body> & { readonly onClose: () => void }) {
  const { label, about, path, bodyOf, save, onDone, onClose, children } = props;
  // As it was when it was opened: what somebody else changes meanwhile is not taken for what was typed here.
  const [of] = useState(props.of);
  const { run, isRunning, problem } = useAction();
  const [body, setBody] = useState<Body | null>(null);
  const submit = (values: Record<string, string>) =>
    run(async () => {
      await save(bodyOf(values, of));
      onDone();
    });
  return (
    <div
      class="stack"
      onInput={({ target }) => {
        const { form } = target as HTMLInputElement;
        if (form) setBody(bodyOf(valuesOf(form), of));
      }}
    >
      <p>{about}</p>
      <Form onSubmit={submit}>
        {children(of)}
        <ProblemNote problem={problem} />
        <FormButtons label={label} leave={TEXTS.close} isRunning={isRunning} onLeave={onClose} />
      </Form>
      <Curl request={{ method: 'PATCH', path, body: body ?? {} }} />
    </div>
  );
}
