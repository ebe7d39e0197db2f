interface FormButtonsProps {
  readonly label: string;
  /** The words of the button that leaves the dialog. */
  readonly leave: string;
  readonly isRunning: boolean;
  readonly isDangerous?: boolean;
  readonly onLeave: () => void;
}

/** The end of a form in a dialog: what sends it, and what leaves it. */
export function FormButtons({ label, leave, isRunning, isDangerous = false, onLeave }: FormButtonsProps) {
  return (
    <div class="row">
      <button type="submit" class={isDangerous ? 'danger' : 'primary'} disabled={isRunning}>
        {label}
      </button>
      <button type="button" onClick={onLeave}>
        {leave}
      </button>
    </div>
  );
}
