import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../state/use-action.js';
import { TEXTS } from '../texts.js';
import { Dialog } from './dialog.js';
import { ProblemNote } from './problem-note.js';

interface AskBeforeProps {
  /** The words of the button, and of the one that does it. */
  readonly label: string;
  readonly title: string;
  /** What will happen, in numbers. */
  readonly children: ComponentChildren;
  readonly onConfirm: () => Promise<void>;
  readonly isDangerous?: boolean;
  readonly disabled?: boolean;
}

/** A button that says in a dialog what it will do, before it does it. */
export function AskBefore({ label, title, children, onConfirm, isDangerous = false, disabled = false }: AskBeforeProps) {
  const [isOpen, setOpen] = useState(false);
  const { run, isRunning, problem } = useAction();
  const confirm = () =>
    run(async () => {
      await onConfirm();
      setOpen(false);
    });
  return (
    <>
      <button type="button" disabled={disabled} class={isDangerous ? 'danger' : undefined} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          {children}
          <ProblemNote problem={problem} />
          <div class="row">
            <button type="button" class={isDangerous ? 'danger' : 'primary'} disabled={isRunning} onClick={confirm}>
              {label}
            </button>
            <button type="button" onClick={() => setOpen(false)}>
              {TEXTS.cancel}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
