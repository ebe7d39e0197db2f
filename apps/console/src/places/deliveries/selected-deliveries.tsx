import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { IdLink } from '../../parts/id-link.js';
import { useProject } from '../../state/project.js';
import { TEXTS } from '../../texts.js';
import { cancelDelivery, replayDelivery } from './replay-delivery.js';
import { EachCurl } from './each-curl.js';
import { EachProgress } from './each-progress.js';
import { DELIVERY_TEXTS } from './texts.js';
import { useEach } from './use-each.js';

const ACTIONS = {
  replay: { label: DELIVERY_TEXTS.replaySelected, about: DELIVERY_TEXTS.replaySelectedAbout, act: replayDelivery, path: 'retry' },
  cancel: {
    label: DELIVERY_TEXTS.cancelSelected,
    about: DELIVERY_TEXTS.cancelSelectedAbout,
    act: cancelDelivery,
    path: 'cancel',
  },
} as const;

interface SelectedProps {
  readonly ids: readonly string[];
  readonly onDone: () => void;
  readonly onClear: () => void;
}

/** What can be done with the deliveries that are picked in the list. */
export function SelectedDeliveries({ ids, onDone, onClear }: SelectedProps) {
  const [action, setAction] = useState<keyof typeof ACTIONS | null>(null);
  if (ids.length === 0) return null;
  return (
    <>
      <strong>{DELIVERY_TEXTS.selected(ids.length)}</strong>
      <button type="button" onClick={() => setAction('replay')}>
        {ACTIONS.replay.label(ids.length)}
      </button>
      <button type="button" class="danger" onClick={() => setAction('cancel')}>
        {ACTIONS.cancel.label(ids.length)}
      </button>
      <button type="button" class="plain" onClick={onClear}>
        {DELIVERY_TEXTS.clear}
      </button>
      {action && <EachDialog action={action} ids={ids} onDone={onDone} onClose={() => setAction(null)} />}
    </>
  );
}

interface EachDialogProps {
  readonly action: keyof typeof ACTIONS;
  readonly ids: readonly string[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function EachDialog({ action, ids, onDone, onClose }: EachDialogProps) {
  const { label, about, act, path } = ACTIONS[action];
  const project = useProject();
  const each = useEach();
  const close = () => {
    onClose();
    if (each.total > 0) onDone();
  };
  return (
    <Dialog title={label(ids.length)} onClose={close}>
      <p>{about(ids.length)}</p>
      <p class="muted">{DELIVERY_TEXTS.stayHere}</p>
      <details>
        <summary>{DELIVERY_TEXTS.which}</summary>
        <ul class="plain">
          {ids.map((id) => (
            <li key={id}>
              <IdLink id={id} />
            </li>
          ))}
        </ul>
      </details>
      <EachProgress each={each} />
      <div class="row">
        {each.total === 0 && (
          <button
            type="button"
            class={action === 'cancel' ? 'danger' : 'primary'}
            onClick={() => each.start(ids, (id) => act(project, id))}
          >
            {label(ids.length)}
          </button>
        )}
        {each.isRunning && (
          <button type="button" onClick={each.stop}>
            {DELIVERY_TEXTS.stop}
          </button>
        )}
        <button type="button" onClick={close}>
          {each.total === 0 ? TEXTS.cancel : TEXTS.close}
        </button>
      </div>
      <EachCurl ids={ids} action={path} />
    </Dialog>
  );
}
