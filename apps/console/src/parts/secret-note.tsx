import { CopyButton } from './copy-button.js';

/** A secret that is shown this once. */
export function SecretNote({ label, secret }: { readonly label: string; readonly secret: string }) {
  return (
    <div class="card note stack tight" role="status">
      <p>
        <strong>{label}</strong> Keep it now: it is not shown again.
      </p>
      <p class="row">
        <code class="text">{secret}</code>
        <CopyButton text={secret} />
      </p>
    </div>
  );
}
